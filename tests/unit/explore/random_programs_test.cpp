// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random programs of two and three threads, in the semantics of the executor. Optimal DPOR must visit the traces of
// enumeration, and what exhaustion proves must survive an oracle that shares nothing with it but the machine: it
// interleaves single accesses, remembers states, and looks at each state for two next steps that conflict.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "explore/c_prelude.h"
#include "explore/clocks/first_race.h"
#include "explore/evidence/exhaust.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/interpreted/machine_executor.h"
#include "explore/loaded_program.h"
#include "explore/states/state_search.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

const char* const statements[] = {
    "x = 1;",
    "y = x;",
    "LOCK(m); x++; UNLOCK(m);",
    "LOCK(m); y++; UNLOCK(m);",
    "LOCK(n); x++; UNLOCK(n);",
    "LOCK(m); LOCK(n); x++; UNLOCK(n); UNLOCK(m);",
    "LOCK(n); LOCK(m); y++; UNLOCK(m); UNLOCK(n);",
    "LOCK(m); f = y; UNLOCK(m); if (f) x = 1;",
    "LOCK(m); f = y; UNLOCK(m); if (!f) x = 2;",
    "if (!pthread_mutex_trylock(&m)) { x++; UNLOCK(m); }",
    "if (pthread_mutex_trylock(&m)) x++; else UNLOCK(m);",
    "a = 1;",
    "a++;",
    "if (a) x = 3;",
    "if (!b) y = 2;",
    "b = a;",
    "ATOMIC(x++);",
    "ATOMIC(z++);",
    "ATOMIC(__VERIFIER_assume(z == 0); z = 1);",
    "ATOMIC(z = 0);",
    "ATOMIC(f = x; __VERIFIER_assume(z == 1));",
    "pthread_rwlock_rdlock(&w); f = x; pthread_rwlock_unlock(&w);",
    "pthread_rwlock_wrlock(&w); x = 4; pthread_rwlock_unlock(&w);",
    "pthread_rwlock_rdlock(&w); LOCK(m); y++; UNLOCK(m); pthread_rwlock_unlock(&w);",
    "sem_wait(&s); x++;",
    "sem_post(&s);",
    "if (!sem_trywait(&s)) y++;",
    "LOCK(m); if (!y) pthread_cond_wait(&c, &m); y = 0; UNLOCK(m);",
    "LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
    "pthread_cond_broadcast(&c);",
};

/// Threads that wait by looking.
const char* const spinning[] = {
    "while (__c11_atomic_exchange(&a, 1, 5)) ; x++; a = 0;",
    "while (__c11_atomic_exchange(&a, 1, 5)) ; f = x; a = 0;",
    "if (!__c11_atomic_exchange(&a, 1, 5)) { x++; a = 0; }",
    "while (__c11_atomic_exchange(&a, 1, 5)) ; x++; b = 1; a = 0;",
    "while (!b) ; while (__c11_atomic_exchange(&a, 1, 5)) ; x++; a = 0;",
    "while (!b) ;",
    "b = 1;",
    "while (__c11_atomic_exchange(&a, 1, 5)) ; while (!b) ; a = 0;",
    "do { ATOMIC(f = z; if (!z) z = 1); } while (f); y++; ATOMIC(z = 0);",
    "do { ATOMIC(f = z; if (!z) z = 1); } while (f); f = y; ATOMIC(z = 0); if (f) b = 1;",
    "while (__c11_atomic_exchange(&a, 1, 5)) ; a = 0; x++;",
    "ATOMIC(y++);",
};

/// What the others lack: threads of threads, attempts to join, memory that is used again, all waiters woken, objects
/// that main sets up, sections that let others go on.
const char* const helpers = R"(
int pthread_tryjoin_np(pthread_t, void **);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int *g;
void *adds(void *p) { x++; return 0; }
void *locks(void *p) { LOCK(m); x++; UNLOCK(m); return 0; }
void *tells(void *p) { b = 1; x = 1; return 0; }
)";
const char* const shapes[] = {
    "{ pthread_t k; pthread_create(&k, 0, adds, 0); pthread_join(k, 0); }",
    "{ pthread_t k; pthread_create(&k, 0, adds, 0); y = 1; pthread_join(k, 0); x = 2; }",
    "{ pthread_t k; LOCK(m); pthread_create(&k, 0, locks, 0); x = 2; UNLOCK(m); }",
    "{ pthread_t k; pthread_create(&k, 0, tells, 0); while (!b) ; if (pthread_tryjoin_np(k, 0)) x = 2; }",
    "{ pthread_t k; pthread_create(&k, 0, tells, 0); while (!b) ; if (!pthread_tryjoin_np(k, 0)) x = 2; }",
    "LOCK(m); while (!y) pthread_cond_wait(&c, &m); UNLOCK(m); f = x;",
    "LOCK(m); while (!y) pthread_cond_wait(&c, &m); x++; UNLOCK(m);",
    "LOCK(m); y = 1; pthread_cond_broadcast(&c); UNLOCK(m);",
    "x = 6; LOCK(m); y = 1; UNLOCK(m); pthread_cond_broadcast(&c);",
    "if (!pthread_rwlock_trywrlock(&w)) { x++; pthread_rwlock_unlock(&w); }",
    "if (!pthread_rwlock_tryrdlock(&w)) { f = x; pthread_rwlock_unlock(&w); } else y++;",
    "pthread_rwlock_wrlock(&w); x = 4; pthread_rwlock_unlock(&w);",
    "{ int *q = malloc(4); *q = 1; free(q); q = malloc(4); *q = 2; LOCK(m); if (g) free(g); g = q; UNLOCK(m); }",
    "{ int *q = malloc(4); LOCK(m); if (!g) g = q; else free(q); UNLOCK(m); }",
    "LOCK(m); if (g) *g = 3; UNLOCK(m);",
    "{ LOCK(m); int *q = g; UNLOCK(m); if (q) *q = 4; }",
    "LOCK(m); if (g) free(g); g = 0; UNLOCK(m);",
    "LOCK(n); ATOMIC(UNLOCK(n); z = 1);",
    "LOCK(n); ATOMIC(z = 1; UNLOCK(n));",
    "LOCK(n); z = 2; UNLOCK(n);",
    "ATOMIC(sem_post(&s); y = 3);",
    "sem_wait(&s); y++; sem_post(&s);",
    "pthread_barrier_wait(&r); x = 5;",
    "x = 8; pthread_barrier_wait(&r);",
    "f = a; a = 2; if (f == 1) x = 1;",
    "a = 1; if (b) x = 3;",
};

/// What programs are made of: in front of the threads, in them, and what main does before it makes them.
struct Parts {
  std::span<const char* const> statements;
  const char* helpers = "";
  const char* set_up = "";
};

std::string random_source(std::uint64_t seed, const Parts& parts = {statements}) {
  const std::span<const char* const> from = parts.statements;
  std::mt19937_64 random(seed);
  std::string text = std::string(prelude) + parts.helpers;
  std::string create, join;
  const std::size_t threads = 2 + random() % 2;
  for (std::size_t t = 1; t <= threads; ++t) {
    const std::string number = std::to_string(t);
    text += "void *t" + number + "(void *p) { int f = 0; ";
    for (std::size_t i = 0; i < 1 + random() % (threads == 2 ? 3 : 2); ++i)
      text += std::string(from[random() % from.size()]) + ' ';
    text += "return 0; }\n";
    create += "pthread_create(&h" + number + ", 0, t" + number + ", 0); ";
    join += "pthread_join(h" + number + ", 0); ";
  }
  const char* const ends[] = {"", "x = 7;", "pthread_exit(0);", "LOCK(m); x = 7; UNLOCK(m);"};
  const std::size_t end = random() % std::size(ends);
  return text + "int main(void) { pthread_t h1, h2, h3; " + parts.set_up + create + (end == 1 ? join : "") + ends[end] +
         " return 0; }\n";
}

/// Every order of single accesses, up to equal states.
class Oracle {
 public:
  Oracle(const Program& program, const api::ApiModels& models) : machine_(program, models, options(), chooser_) {}

  /// Nothing: too many states.
  std::optional<bool> has_race() {
    visit();
    return race_ || states_.size() < limit ? std::optional(race_) : std::nullopt;
  }

 private:
  static constexpr std::size_t limit = 20'000;

  static interpret::MachineOptions options() {
    interpret::MachineOptions options;
    options.switch_at_accesses = true;
    options.spurious_wakeups = true;
    options.max_threads = 8;
    options.stop_alone = true;
    return options;
  }

  void visit() {
    if (race_ || states_.size() >= limit || !states_.insert(machine_.state_hash().hash.hex()).second) return;
    const std::vector<interpret::ThreadIndex> enabled = machine_.enabled();
    race_ = any_race();
    for (const interpret::ThreadIndex thread : enabled) {
      if (race_) return;
      const interpret::Machine::Mark before = machine_.mark();
      if (machine_.step(thread).kind != interpret::StepResult::Kind::NotEnabled &&
          machine_.outcome().kind == interpret::OutcomeKind::Running)
        visit();
      machine_.undo_to(before);
    }
  }

  struct Next {
    std::vector<interpret::TouchedBytes> touches;
    bool in_section = false;
  };

  Next next_of(interpret::ThreadIndex thread) {
    Next next;
    next.in_section = machine_.pending_kind(thread) == interpret::OpKind::Section;
    if (!next.in_section) {
      if (machine_.is_enabled(thread)) next.touches = machine_.pending(thread).footprint;
      return next;
    }
    if (machine_.probe(thread, next.touches).kind == interpret::StepResult::Kind::NotEnabled) {
      next.touches.clear();
      for (const interpret::Event& event : machine_.failed_section().events)
        next.touches.push_back({event.address, event.size, event.kind == interpret::EventKind::Write, false, false});
    }
    return next;
  }

  bool any_race() {
    std::vector<Next> next;
    for (interpret::ThreadIndex t = 0; t < machine_.thread_count(); ++t)
      next.push_back(machine_.status(t) == interpret::ThreadStatus::Finished ? Next{} : next_of(t));
    for (std::size_t i = 0; i < next.size(); ++i)
      for (std::size_t j = i + 1; j < next.size(); ++j)
        for (const interpret::TouchedBytes& p : next[i].touches)
          for (const interpret::TouchedBytes& q : next[j].touches) {
            const bool both_controlled = (p.is_atomic || next[i].in_section) && (q.is_atomic || next[j].in_section);
            if (!p.is_lock && !q.is_lock && (p.is_write || q.is_write) && !both_controlled &&
                p.address < q.address + q.size && q.address < p.address + p.size)
              return true;
          }
    return false;
  }

  interpret::FixedChooser chooser_;
  interpret::Machine machine_;
  std::set<std::string> states_;
  bool race_ = false;
};

constexpr std::uint64_t programs = 120;

TEST(RandomPrograms, OptimalVisitsTheTracesOfEnumeration) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const std::string text = random_source(seed);
    const LoadedProgram loaded = load_program(text);
    ASSERT_TRUE(loaded.program) << loaded.program.error().message;
    std::set<std::vector<std::uint64_t>> traces[2];
    bool complete = true;
    for (const SearchKind kind : {SearchKind::Exhaustive, SearchKind::Optimal}) {
      if (!complete) break;
      MachineExecutor executor(*loaded.program, *loaded.models, {});
      SearchLimits limits;
      limits.executions = 3'000;
      const SearchStatistics found = search(executor, kind, limits, [&](const Trace& trace) {
        traces[kind == SearchKind::Optimal].insert(trace.fingerprint());
        // Behind a race the order of visible operations does not decide any more what a thread does.
        return !first_race(executor).has_value();
      });
      complete = found.complete;
    }
    if (!complete) continue;
    ++compared;
    EXPECT_TRUE(traces[0] == traces[1]) << traces[0].size() << " and " << traces[1].size() << " in " << seed << ":\n"
                                        << text.substr(text.find("void *t1"));
  }
  EXPECT_GT(compared, programs / 5);
}

TEST(RandomPrograms, WhatIsProvedHasNoRaceInTheOracle) {
  std::size_t proved = 0, races = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const std::string text = random_source(seed);
    const LoadedProgram loaded = load_program(text);
    ASSERT_TRUE(loaded.program) << loaded.program.error().message;
    const std::optional<bool> truth = Oracle(*loaded.program, *loaded.models).has_race();
    if (!truth) continue;
    const ExhaustResult all = prove_by_exhaustion(InterpretedProgram(*loaded.program, *loaded.models), {});
    proved += all.proof ? 1 : 0;
    races += *truth ? 1 : 0;
    EXPECT_FALSE(all.proof && *truth) << "wrong proof in " << seed << ":\n" << text.substr(text.find("void *t1"));
    EXPECT_FALSE(all.race && !*truth) << "wrong race in " << seed << ":\n" << text.substr(text.find("void *t1"));
  }
  EXPECT_GT(proved, programs / 8);
  EXPECT_GT(races, programs / 8);
}

/// Two sections that let others go on, and touch the same memory behind that: for states they meet.
bool has_giving_section(const std::string& text) {
  return text.contains("ATOMIC(UNLOCK") || text.contains("ATOMIC(sem_post");
}

/// How many programs states proved, and how many have a race; those of the oracle and of the other search agree.
std::pair<std::size_t, std::size_t> compare_states(const Parts& parts, std::uint64_t count) {
  std::size_t proved = 0, races = 0;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::string text = random_source(seed, parts);
    const LoadedProgram loaded = load_program(text);
    if (!loaded.program) continue;
    const InterpretedProgram subject(*loaded.program, *loaded.models);
    ExhaustOptions few;
    few.event_budget = 5'000;
    const ExhaustResult all = prove_by_exhaustion(subject, few);
    const StateSearchResult states = prove_by_states(subject, {});
    const std::optional<bool> truth = Oracle(*loaded.program, *loaded.models).has_race();
    const std::string shown = std::to_string(seed) + ":\n" + text.substr(text.find("void *t1"));
    EXPECT_FALSE(states.proof && (all.race || truth == true)) << "wrong proof in " << shown;
    EXPECT_FALSE(states.proof && all.why.starts_with("clocks saw a race")) << all.why << " in " << shown;
    EXPECT_FALSE(all.proof && !states.proof && !has_giving_section(text)) << states.why << " in " << shown;
    proved += states.proof ? 1 : 0;
    races += truth == true ? 1 : 0;
  }
  return {proved, races};
}

TEST(RandomPrograms, StatesProveWhatExecutionsProve) {
  const auto [proved, races] = compare_states({statements}, programs);
  EXPECT_GT(proved, programs / 8);
  EXPECT_GT(races, programs / 8);
}

TEST(RandomPrograms, StatesProveThreadsThatSpin) {
  const auto [proved, races] = compare_states({spinning}, 40);
  EXPECT_GT(proved, 4U);
  EXPECT_GT(races, 4U);
}

TEST(RandomPrograms, StatesProveThreadsOfThreadsAndMemoryUsedAgain) {
  const Parts parts{shapes, helpers, "sem_init(&s, 0, 1); pthread_barrier_init(&r, 0, 2); "};
  const auto [proved, races] = compare_states(parts, 80);
  EXPECT_GT(proved, 10U);
  EXPECT_GT(races, 10U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
