// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <set>

#include "machine_fixture.h"

namespace heddle::interpret {
namespace HEDDLE_TEST_FILE {

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
  const ContentHash before = run.machine.state_hash().hash;
  std::set<int> results;
  run.machine.mark();
  const std::size_t runs =
      for_each_schedule(run.machine, [&](const Machine& m) { results.insert(m.outcome().exit_code); });
  EXPECT_GT(runs, 100U);
  EXPECT_EQ(results, std::set<int>{45});
  EXPECT_EQ(run.machine.state_hash().hash, before);
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

TEST(InterpretThreads, ATryWhoseFailureIsZeroDoesFail) {
  ProgramRun run(R"(typedef struct { void *l; } omp_lock_t;
    void omp_init_lock(omp_lock_t *); int omp_test_lock(omp_lock_t *); void omp_unset_lock(omp_lock_t *);
    omp_lock_t l; int main(void) { omp_init_lock(&l); int code = omp_test_lock(&l); code += 2 * omp_test_lock(&l);
      omp_unset_lock(&l); return code + 4 * omp_test_lock(&l); })");
  EXPECT_EQ(run.finish().exit_code, 5) << run.machine.outcome().what;
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
  const RunOutcome& outcome = run.finish(Scheduler::Random, 3);
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
  const RunOutcome& outcome = run.finish();
  EXPECT_EQ(outcome.exit_code, 7) << outcome.what;
}

int result_of(const std::string& text, const std::string& name = "unit.c") {
  ProgramRun run(text, {}, {}, name);
  const RunOutcome& outcome = run.finish();
  EXPECT_EQ(outcome.kind, OutcomeKind::Exited) << outcome.what;
  return outcome.exit_code;
}

TEST(InterpretThreads, TimedCallsSayThatTheTimeIsOver) {
  EXPECT_EQ(result_of(R"(#define _GNU_SOURCE
    #include <errno.h>
    #include <pthread.h>
    #include <semaphore.h>
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    static void *work(void *p) { struct timespec t = {0, 0}; long r = pthread_mutex_timedlock(&m, &t) == ETIMEDOUT; r += 2 * (pthread_rwlock_timedrdlock(&l, &t) == ETIMEDOUT);
      r += 4 * (pthread_mutex_trylock(&m) == EBUSY); return (void *)r; }
    int main(void) { pthread_t t; void *r; sem_t s; struct timespec z = {0, 0}; pthread_mutex_lock(&m); pthread_rwlock_wrlock(&l); pthread_create(&t, 0, work, 0); pthread_join(t, &r);
      int code = (int)(long)r; sem_init(&s, 0, 0); code += 8 * (sem_timedwait(&s, &z) == -1 && errno == ETIMEDOUT); code += 16 * (sem_trywait(&s) == -1 && errno == EAGAIN);
      code += 32 * (pthread_cond_timedwait(&c, &m, &z) == ETIMEDOUT); return code; })"),
            63);
}

TEST(InterpretThreads, C11ThreadsHaveTheirOwnCodes) {
  EXPECT_EQ(result_of(R"(#include <threads.h>
    mtx_t m; cnd_t c; static int work(void *p) { struct timespec t = {0, 0}; return (mtx_trylock(&m) == thrd_busy) + 2 * (mtx_timedlock(&m, &t) == thrd_timedout) + 4; }
    int main(void) { thrd_t t; int r; struct timespec z = {0, 0}; mtx_init(&m, mtx_timed); cnd_init(&c); mtx_lock(&m); thrd_create(&t, work, 0); thrd_join(t, &r);
      return r + 8 * (cnd_timedwait(&c, &m, &z) == thrd_timedout); })"),
            15);
}

TEST(InterpretThreads, LocksReportTheErrorsOfPosix) {
  EXPECT_EQ(result_of(R"(#define _GNU_SOURCE
    #include <errno.h>
    #include <pthread.h>
    int main(void) { pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_mutex_t e = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP, m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_barrier_t b;
      pthread_rwlock_wrlock(&l); int r = pthread_rwlock_rdlock(&l) == EDEADLK; r += 2 * (pthread_rwlock_wrlock(&l) == EDEADLK); r += 4 * (pthread_rwlock_trywrlock(&l) == EBUSY);
      r += 8 * (pthread_cond_wait(&c, &e) == EPERM); pthread_mutex_lock(&m); r += 16 * (pthread_mutex_destroy(&m) == EBUSY); r += 32 * (pthread_join(pthread_self(), 0) == EDEADLK); r += 64 * (pthread_barrier_init(&b, 0, 0) == EINVAL); return r; })"),
            127);
  ProgramRun cancelled("#include <pthread.h>\nint main(void) { return pthread_cancel(pthread_self()); }");
  EXPECT_EQ(cancelled.finish().kind, OutcomeKind::Unsupported);
  EXPECT_NE(cancelled.machine.outcome().what.find("pthread_cancel"), std::string::npos);
}

TEST(InterpretThreads, ThreadLocalObjectsAndKeysAreDestroyed) {
  EXPECT_EQ(result_of(R"(#include <pthread.h>
    pthread_key_t k; int runs; static void drop(void *p) { if (++runs < 9) pthread_setspecific(k, p); }
    static void *work(void *p) { pthread_setspecific(k, &runs); return p; }
    int main(void) { pthread_t t; pthread_key_create(&k, drop); pthread_create(&t, 0, work, 0); pthread_join(t, 0); return runs; })"),
            4);  // PTHREAD_DESTRUCTOR_ITERATIONS
  EXPECT_EQ(result_of(R"(#include <thread>
    int gone; struct Noisy { int n = 0; ~Noisy() { gone += n; } }; thread_local Noisy mine;
    int main() { std::thread t([] { mine.n = 5; }); t.join(); std::thread u([] { mine.n = 2; }); u.join(); return gone; })",
                      "unit.cpp"),
            7);
}

TEST(InterpretThreads, CallOnceRunsAgainAfterAnException) {
  EXPECT_EQ(result_of(R"(#include <mutex>
    int main() { std::once_flag f; int runs = 0; for (int i = 0; i < 3; i++) try { std::call_once(f, [&] { if (++runs == 1) throw 1; }); } catch (int) { runs += 10; } return runs; })",
                      "unit.cpp"),
            12);
}

TEST(InterpretThreads, FlockfileExcludesOtherThreads) {
  const char* text = R"(#include <pthread.h>
    #include <stdio.h>
    int x; static void *work(void *p) { flockfile(stdout); x++; funlockfile(stdout); return p; }
    int main(void) { pthread_t t, u; pthread_create(&t, 0, work, 0); pthread_create(&u, 0, work, 0); pthread_join(t, 0); pthread_join(u, 0); return x; })";
  ProgramRun run(text, {.switch_at_accesses = true});
  std::set<int> results;
  for_each_schedule(run.machine, [&](const Machine& m) { results.insert(m.outcome().exit_code); });
  EXPECT_EQ(results, std::set<int>{2});
}

TEST(InterpretThreads, CallsOfTheLibraryAreAccessesToo) {
  ProgramRun run(R"(#include <pthread.h>
    #include <stdio.h>
    int x; static void *work(void *p) { x = 7; return p; }
    int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); sscanf("5", "%d", &x); int y = x; pthread_join(t, 0); return 10 * y + x; })",
                 {.switch_at_accesses = true});
  std::set<int> results;
  bool stops_before_call = false;
  const Address x = run.machine.address_of(run.program.find_global("x"));
  for_each_schedule(run.machine, [&](const Machine& m) { results.insert(m.outcome().exit_code); });
  while (run.machine.outcome().kind == OutcomeKind::Running) {
    const PendingOp op = run.machine.pending(0);
    stops_before_call = stops_before_call || (op.kind == OpKind::Write && op.footprint[0].address == x);
    run.machine.step(run.machine.enabled().front());
  }
  EXPECT_TRUE(stops_before_call);
  EXPECT_EQ(results, (std::set<int>{55, 57, 77}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::interpret
