// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "machine_fixture.h"

namespace heddle::interpret {
namespace {

const char* const two_counters = R"(#include <pthread.h>
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int counter;
  static void *work(void *a) { for (int i = 0; i < 2; i++) { pthread_mutex_lock(&m); counter++; pthread_mutex_unlock(&m); } return a; }
  int main(void) { pthread_t t[2]; void *r; for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)(i + 5));
    pthread_join(t[0], &r); pthread_join(t[1], 0); return counter * 10 + (int)(long)r; })";

TEST(InterpretThreads, JoinsAndCountsUnderEverySchedulerAlike) {
  for (const Scheduler scheduler : {Scheduler::FirstEnabled, Scheduler::RoundRobin, Scheduler::Random}) {
    ProgramRun run(two_counters);
    EXPECT_EQ(run.finish(scheduler).exit_code, 45) << run.machine.outcome().what;
  }
}

TEST(InterpretThreads, EveryScheduleOfALockedCounterEndsTheSame) {
  ProgramRun run(two_counters);
  const ContentHash before = run.machine.state_hash();
  std::set<int> results;
  run.machine.mark();
  const std::size_t runs =
      for_each_schedule(run.machine, [&](const Machine& m) { results.insert(m.outcome().exit_code); });
  EXPECT_GT(runs, 100U);
  EXPECT_EQ(results, std::set<int>{45});
  EXPECT_EQ(run.machine.state_hash(), before);
}

TEST(InterpretThreads, FindsTheLostUpdateOnlyAtAccesses) {
  const char* text = R"(#include <pthread.h>
    int x; static void *work(void *a) { x++; return a; }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0); pthread_join(t, 0); pthread_join(u, 0); return x; })";
  for (const bool at_accesses : {false, true}) {
    ProgramRun run(text, {.switch_at_accesses = at_accesses});
    std::set<int> results;
    for_each_schedule(run.machine, [&](const Machine& m) { results.insert(m.outcome().exit_code); });
    EXPECT_EQ(results, at_accesses ? (std::set<int>{1, 2}) : std::set<int>{2});
  }
}

TEST(InterpretThreads, SeesDeadlocks) {
  ProgramRun twice(
      "#include <pthread.h>\nint main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); "
      "pthread_mutex_lock(&m); return 0; }");
  EXPECT_EQ(twice.finish().kind, OutcomeKind::Deadlock);
  ProgramRun crossed(R"(#include <pthread.h>
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    static void *one(void *p) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p; }
    static void *two(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0); pthread_join(t, 0); pthread_join(u, 0); return 0; })");
  std::set<OutcomeKind> kinds;
  for_each_schedule(crossed.machine, [&](const Machine& m) { kinds.insert(m.outcome().kind); });
  EXPECT_EQ(kinds, (std::set<OutcomeKind>{OutcomeKind::Exited, OutcomeKind::Deadlock}));
}

TEST(InterpretThreads, MutexTypesFollowPosix) {
  ProgramRun run(R"(#define _GNU_SOURCE
    #include <pthread.h>
    int main(void) { pthread_mutexattr_t at; pthread_mutex_t r, e, n = PTHREAD_MUTEX_INITIALIZER; int code = 0;
      pthread_mutexattr_init(&at); pthread_mutexattr_settype(&at, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&r, &at);
      pthread_mutexattr_settype(&at, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&e, &at);
      code += pthread_mutex_lock(&r) == 0; code += pthread_mutex_lock(&r) == 0; pthread_mutex_unlock(&r); pthread_mutex_unlock(&r);
      code += pthread_mutex_unlock(&r) == 1; pthread_mutex_lock(&e); code += pthread_mutex_lock(&e) == 35; code += pthread_mutex_trylock(&e) == 16;
      pthread_mutex_lock(&n); code += pthread_mutex_trylock(&n) == 16; pthread_mutex_unlock(&n); pthread_mutex_unlock(&n); return code; })");
  EXPECT_EQ(run.finish().exit_code, 6);
  ASSERT_EQ(run.machine.notes().size(), 1U);
  EXPECT_EQ(run.machine.notes()[0].what, "unlock of a lock that is not held");
}

const char* const waiting = R"(#include <pthread.h>
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready, woken;
  static void *waiter(void *p) { pthread_mutex_lock(&m); WAIT; woken++; pthread_mutex_unlock(&m); return p; }
  int main(void) { pthread_t t, u; pthread_create(&t, 0, waiter, 0); pthread_create(&u, 0, waiter, 0); pthread_mutex_lock(&m); ready = 1;
    SIGNAL; pthread_mutex_unlock(&m); pthread_join(t, 0); pthread_join(u, 0); return woken; })";

std::string wait_program(const std::string& wait, const std::string& signal) {
  std::string text = waiting;
  text.replace(text.find("WAIT"), 4, wait);
  text.replace(text.find("SIGNAL"), 6, signal);
  return text;
}

std::set<OutcomeKind> kinds_of(const std::string& text, MachineOptions options = {}) {
  ProgramRun run(text, std::move(options));
  std::set<OutcomeKind> kinds;
  for_each_schedule(run.machine, [&](const Machine& m) { kinds.insert(m.outcome().kind); });
  return kinds;
}

TEST(InterpretThreads, ConditionsWakeWhoTheyShould) {
  const std::string loop = "while (!ready) pthread_cond_wait(&c, &m)", bare = "if (!ready) pthread_cond_wait(&c, &m)";
  EXPECT_EQ(kinds_of(wait_program(loop, "pthread_cond_broadcast(&c)")), std::set<OutcomeKind>{OutcomeKind::Exited});
  EXPECT_EQ(kinds_of(wait_program(loop, "pthread_cond_signal(&c)")),
            (std::set<OutcomeKind>{OutcomeKind::Exited, OutcomeKind::Deadlock}));
  EXPECT_EQ(kinds_of(wait_program(bare, "pthread_cond_signal(&c)"), {.spurious_wakeups = true}),
            std::set<OutcomeKind>{OutcomeKind::Exited});
}

TEST(InterpretThreads, SemaphoresBarriersOnceAndKeysWork) {
  ProgramRun run(R"(#include <pthread.h>
    #include <semaphore.h>
    sem_t s; pthread_barrier_t b; pthread_once_t o = PTHREAD_ONCE_INIT; pthread_key_t k; int inits, serial, freed, order;
    static void init(void) { inits++; } static void drop(void *p) { freed += *(int *)p; }
    static void *work(void *p) { pthread_once(&o, init); pthread_setspecific(k, p); sem_wait(&s); order++; sem_post(&s);
      if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial, 1, __ATOMIC_SEQ_CST); return pthread_getspecific(k); }
    int main(void) { pthread_t t[3]; int v[3] = {1, 2, 4}; sem_init(&s, 0, 1); pthread_barrier_init(&b, 0, 3); pthread_key_create(&k, drop);
      for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &v[i]); for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
      return inits + 10 * serial + 20 * order + freed; })");
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Machine::Mark start = run.machine.mark();
    EXPECT_EQ(run.finish(Scheduler::Random, seed).exit_code, 1 + 10 + 60 + 7) << run.machine.outcome().what;
    run.machine.undo_to(start);
  }
}

TEST(InterpretThreads, ReadersShareAndWritersDoNot) {
  ProgramRun run(R"(#include <pthread.h>
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int inside, most;
    static void *reader(void *p) { pthread_rwlock_rdlock(&l); int n = __atomic_add_fetch(&inside, 1, 5); if (n > most) most = n; __atomic_sub_fetch(&inside, 1, 5); pthread_rwlock_unlock(&l); return p; }
    static void *writer(void *p) { pthread_rwlock_wrlock(&l); if (inside) __builtin_trap(); pthread_rwlock_unlock(&l); return p; }
    int main(void) { pthread_t t, u, w; pthread_create(&t, 0, reader, 0); pthread_create(&u, 0, reader, 0); pthread_create(&w, 0, writer, 0);
      pthread_join(t, 0); pthread_join(u, 0); pthread_join(w, 0); return most; })");
  std::set<int> results;
  for_each_schedule(
      run.machine,
      [&](const Machine& m) {
        EXPECT_EQ(m.outcome().kind, OutcomeKind::Exited);
        results.insert(m.outcome().exit_code);
      },
      20'000);
  EXPECT_TRUE(results.contains(1));
}

TEST(InterpretThreads, SectionsAreOneStepAndWaitForTheirAssumption) {
  const char* text = R"(#include <pthread.h>
    #include <stdlib.h>
    void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
    int flag, data, seen;
    static void *consumer(void *p) { __VERIFIER_atomic_begin(); seen = -1; if (!flag) abort(); seen = data; __VERIFIER_atomic_end(); return p; }
    void __VERIFIER_atomic_set(void) { data = 42; flag = 1; }
    int main(void) { pthread_t t; pthread_create(&t, 0, consumer, 0); if (seen == -1) return 1; __VERIFIER_atomic_set(); pthread_join(t, 0); return seen; })";
  ProgramRun run(text);
  const Outcome& outcome = run.finish(Scheduler::Random, 3);
  EXPECT_EQ(outcome.kind, OutcomeKind::Exited) << outcome.what;
  EXPECT_EQ(outcome.exit_code, 42);
  ProgramRun all(text);
  for_each_schedule(all.machine, [&](const Machine& m) {
    EXPECT_EQ(m.outcome().kind, OutcomeKind::Exited);
    EXPECT_EQ(m.outcome().exit_code, 42);
  });
  ProgramRun stuck(
      "#include <pthread.h>\nvoid __VERIFIER_atomic_begin(void); void __VERIFIER_assume(int); int x;\n"
      "int main(void) { __VERIFIER_atomic_begin(); __VERIFIER_assume(x); return 0; }");
  EXPECT_EQ(stuck.finish().kind, OutcomeKind::Infeasible);
}

TEST(InterpretThreads, TellsAccessesAndOrder) {
  ProgramRun run(two_counters);
  std::vector<Event> events;
  while (run.machine.outcome().kind == OutcomeKind::Running) {
    run.machine.step(run.machine.enabled().front());
    events.insert(events.end(), run.machine.events().begin(), run.machine.events().end());
  }
  std::size_t reads = 0, acquires = 0, releases = 0, spawns = 0, joins = 0;
  const Address counter = run.machine.address_of(run.program.find_global("counter"));
  for (const Event& event : events) {
    reads += event.kind == EventKind::Read && event.address == counter && event.thread != 0;
    acquires += event.kind == EventKind::Acquire;
    releases += event.kind == EventKind::Release;
    spawns += event.kind == EventKind::Spawn;
    joins += event.kind == EventKind::Join;
    if (event.kind == EventKind::Read && event.address == counter && event.thread == 1) {
      ASSERT_EQ(run.machine.stack_of(event).size(), 1U);
      EXPECT_EQ(run.program.functions[run.machine.stack_of(event)[0].function].name, "work");
    }
  }
  EXPECT_EQ(reads, 4U);
  EXPECT_EQ(acquires, 4U);
  EXPECT_EQ(releases, 4U);
  EXPECT_EQ(spawns, 2U);
  EXPECT_EQ(joins, 2U);
  EXPECT_EQ(run.machine.place(counter).name, "counter");
}

TEST(InterpretThreads, RunsStdThread) {
  ProgramRun run(R"(#include <thread>
    #include <mutex>
    std::mutex m; int total;
    int main() { std::thread a([] { std::lock_guard<std::mutex> g(m); total += 3; }), b([](int n) { std::lock_guard<std::mutex> g(m); total += n; }, 4); a.join(); b.join(); return total; })",
                 {}, {}, "unit.cpp");
  const Outcome& outcome = run.finish();
  EXPECT_EQ(outcome.exit_code, 7) << outcome.what;
}

}  // namespace
}  // namespace heddle::interpret
