// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small C programs through the front end and the interpreter: every reduced search visits the traces of exhaustive
// enumeration, optimal DPOR each once, and the verdict of the search is the expected one.
#include <gtest/gtest.h>

#include <set>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "explore/interpreted/machine_executor.h"
#include "explore/loaded_program.h"
#include "judge/explore/searches.h"

namespace heddle::explore {
namespace HEDDLE_TEST_FILE {

struct Case {
  const char* name;
  const char* threads[3];  ///< bodies; null: none
  bool races;
  const char* ending = "";  ///< of main, after the joins
  bool is_proved = true;    ///< false: no race, but a spurious wake-up would bring one
};

const Case cases[] = {
    {"independent", {"x = 1;", "y = 1;", nullptr}, false},
    {"plain", {"x = 1;", "x = 2;", nullptr}, true},
    {"read", {"z = x;", "y = x;", nullptr}, false},
    {"after join", {"x = 1;", nullptr, nullptr}, false, "x = 2;"},
    {"locked", {"LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", nullptr}, false},
    {"three locked", {"LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);"}, false},
    {"half locked", {"LOCK(m); x++; UNLOCK(m);", "x++;", nullptr}, true},
    {"two locks", {"LOCK(m); x++; UNLOCK(m);", "LOCK(n); x++; UNLOCK(n);", nullptr}, true},
    {"nested", {"LOCK(m); LOCK(n); x++; UNLOCK(n); UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);", nullptr}, false},
    {"deadlock",
     {"LOCK(m); LOCK(n); x++; UNLOCK(n); UNLOCK(m);", "LOCK(n); LOCK(m); x++; UNLOCK(m); UNLOCK(n);", nullptr},
     false},
    {"never unlocked", {"LOCK(m); x++;", "LOCK(m); x++;", nullptr}, false},
    {"guarded by a flag",
     {"LOCK(m); y = 1; UNLOCK(m); x = 1;", "LOCK(m); int f = y; UNLOCK(m); if (f) x = 2;", nullptr},
     true},
    {"handed over",
     {"x = 1; LOCK(m); y = 1; UNLOCK(m);", "LOCK(m); int f = y; UNLOCK(m); if (f) x = 2;", nullptr},
     false},
    {"only in one order",
     {"LOCK(m); y++; UNLOCK(m);", "LOCK(m); int f = y; UNLOCK(m); if (!f) x = 1;", "LOCK(m); x = 2; UNLOCK(m);"},
     true},
    {"try-lock", {"if (!pthread_mutex_trylock(&m)) { x++; UNLOCK(m); }", "LOCK(m); x++; UNLOCK(m);", nullptr}, false},
    {"failed try-lock", {"if (pthread_mutex_trylock(&m)) x++;", "LOCK(m); x++; UNLOCK(m);", nullptr}, true},
    {"atomics", {"a = 1;", "b = a;", "a = 2;"}, false},
    {"message", {"x = 1; a = 1;", "if (a) x = 2;", nullptr}, false},
    {"early message", {"a = 1; x = 1;", "if (a) x = 2;", nullptr}, true},
    {"dekker", {"a = 1; if (!b) x = 1;", "b = 1; if (!a) x = 2;", nullptr}, false},
    {"broken dekker", {"if (!b) x = 1; a = 1;", "if (!a) x = 2; b = 1;", nullptr}, true},
    {"counter", {"a++;", "a++;", "if (a == 2) b = 1;"}, false},
    {"sections", {"ATOMIC(x++);", "ATOMIC(x++);", nullptr}, false},
    {"half a section", {"ATOMIC(x++);", "x++;", nullptr}, true},
    {"sections apart", {"ATOMIC(x++); z = 1;", "ATOMIC(y++); z = 2;", nullptr}, true},
    {"lock of sections",
     {"ATOMIC(__VERIFIER_assume(y == 0), y = 1); x++; ATOMIC(y = 0);",
      "ATOMIC(__VERIFIER_assume(y == 0), y = 1); x++; ATOMIC(y = 0);", nullptr},
     false},
    {"wait for a section", {"x = 1; ATOMIC(y = 1);", "ATOMIC(__VERIFIER_assume(y == 1)); x = 2;", nullptr}, false},
    {"waits too little", {"ATOMIC(y = 1); x = 1;", "ATOMIC(__VERIFIER_assume(y == 1)); x = 2;", nullptr}, true},
    {"readers",
     {"pthread_rwlock_rdlock(&w); z = x; pthread_rwlock_unlock(&w);",
      "pthread_rwlock_wrlock(&w); x = 1; pthread_rwlock_unlock(&w);", nullptr},
     false},
    {"writing reader",
     {"pthread_rwlock_rdlock(&w); x = 2; pthread_rwlock_unlock(&w);",
      "pthread_rwlock_rdlock(&w); x = 1; pthread_rwlock_unlock(&w);", nullptr},
     true},
    {"two readers, a writer",
     {"pthread_rwlock_rdlock(&w); y = x; pthread_rwlock_unlock(&w);",
      "pthread_rwlock_rdlock(&w); z = x; pthread_rwlock_unlock(&w);",
      "pthread_rwlock_wrlock(&w); x = 1; pthread_rwlock_unlock(&w);"},
     false},
    {"semaphore", {"sem_wait(&s); x++; sem_post(&s);", "sem_wait(&s); x++; sem_post(&s);", nullptr}, false},
    {"one post too many",
     {"sem_wait(&s); x++; sem_post(&s); sem_post(&s);", "sem_wait(&s); x++; sem_post(&s);",
      "sem_wait(&s); x++; sem_post(&s);"},
     true},
    {"condition",
     {"LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
      "LOCK(m); if (!y) pthread_cond_wait(&c, &m); x++; UNLOCK(m);", nullptr},
     false},
    {"condition without its lock",
     {"x = 1; LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
      "LOCK(m); if (!y) pthread_cond_wait(&c, &m); UNLOCK(m); x = 2;", nullptr},
     false,
     "",
     false},
    {"broadcast",
     {"LOCK(m); y = 1; pthread_cond_broadcast(&c); UNLOCK(m);",
      "LOCK(m); if (!y) pthread_cond_wait(&c, &m); x++; UNLOCK(m);",
      "LOCK(m); if (!y) pthread_cond_wait(&c, &m); x++; UNLOCK(m);"},
     false},
    {"signal for one of two",
     {"LOCK(m); y = 1; pthread_cond_signal(&c); UNLOCK(m);",
      "LOCK(m); pthread_cond_wait(&c, &m); z = 1; UNLOCK(m); x++;",
      "LOCK(m); pthread_cond_wait(&c, &m); z = 2; UNLOCK(m); x++;"},
     false,
     "",
     false},
};

std::string source_of(const Case& c) {
  std::string text = prelude;
  std::string create, join;
  for (int i = 0; i < 3; ++i) {
    if (!c.threads[i]) continue;
    const std::string number = std::to_string(i);
    text += "void *t" + number + "(void *p) { " + c.threads[i] + " return 0; }\n";
    create += "pthread_create(&h" + number + ", 0, t" + number + ", 0); ";
    join += "pthread_join(h" + number + ", 0); ";
  }
  const std::string end = *c.ending != 0 ? join + c.ending : "";
  return text + "int main(void) { pthread_t h0, h1, h2; sem_init(&s, 0, 1); " + create + end + " return 0; }\n";
}

class CPrograms : public testing::TestWithParam<Case> {};

TEST_P(CPrograms, ReducedSearchesVisitTheTracesOfEnumeration) {
  const LoadedProgram loaded = load_program(source_of(GetParam()));
  ASSERT_TRUE(loaded.program) << loaded.program.error().message;
  ASSERT_TRUE(loaded.models);
  std::set<std::vector<std::uint64_t>> all;
  for (const SearchKind kind : {SearchKind::Exhaustive, SearchKind::Classic, SearchKind::Source, SearchKind::Optimal}) {
    MachineExecutor executor(*loaded.program, *loaded.models, {});
    std::set<std::vector<std::uint64_t>> traces;
    SearchLimits limits;
    limits.executions = 100'000;
    const SearchStatistics found = search(executor, kind, limits, [&](const Trace& trace) {
      traces.insert(trace.fingerprint());
      return true;
    });
    EXPECT_TRUE(found.complete);
    EXPECT_TRUE(executor.gaps().empty()) << *executor.gaps().begin();
    if (kind == SearchKind::Exhaustive) all = traces;
    EXPECT_EQ(traces.size(), all.size()) << static_cast<int>(kind);
    EXPECT_TRUE(traces == all) << static_cast<int>(kind);
    if (kind == SearchKind::Optimal) EXPECT_EQ(found.executions, traces.size());
  }
}

std::string place_of(const ReportAccess& access) {
  return access.file + ":" + std::to_string(access.line) + ":" + std::to_string(access.column);
}

TEST_P(CPrograms, TheSearchDecides) {
  const LoadedProgram loaded = load_program(source_of(GetParam()));
  ASSERT_TRUE(loaded.program && loaded.models);
  const InterpretedProgram subject(*loaded.program, *loaded.models);
  const ExhaustResult all = prove_by_exhaustion(subject, {});
  EXPECT_EQ(all.race.has_value(), GetParam().races) << all.why;
  EXPECT_EQ(all.proof.has_value(), !GetParam().races && GetParam().is_proved) << all.why;
  FindOptions options;
  options.instruction_budget = 10'000'000;
  const FindResult found = find_race(subject, options);
  EXPECT_EQ(found.race.has_value(), GetParam().races);
  if (!found.race) return;
  for (int i = 0; i < 3; ++i) {
    const Result<ReplayedRace> again = replay(subject, found.race->schedule);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->variable, found.race->race.variable);
    EXPECT_EQ(subject.where(again->first_operation.key), place_of(again->first));
    EXPECT_EQ(subject.where(again->second_operation.key), place_of(again->second));
  }
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  std::string name;
  for (const char* p = info.param.name; *p != 0; ++p)
    if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')) name += *p;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, CPrograms, testing::ValuesIn(cases), case_name);

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore
