// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/scratch_source.h"
#include "pipeline/verify.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

struct Case {
  const char* name;
  Verdict verdict;
  const char* text;
};

constexpr const char* prelude = R"(
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int g, d[4];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_once_t o = PTHREAD_ONCE_INIT;
sem_t s;
static void *bump(void *a) { (void)a; g++; return 0; }
static void *locked(void *a) { (void)a; pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return 0; }
)";

class Verify : public ::testing::TestWithParam<Case> {};

TEST_P(Verify, Verdict) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", std::string(prelude) + GetParam().text), {}}};
  const Result<RaceReport> report = verify(input, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->verdict, GetParam().verdict);
  EXPECT_EQ(report->obstacles.size(), 0U);
  EXPECT_EQ(report->races.empty(), GetParam().verdict == Verdict::RaceFree);

  // Without the search a race is suspected, never claimed.
  VerifyOptions options;
  options.search_budget = 0;
  const Result<RaceReport> suspected = verify(input, options);
  ASSERT_TRUE(suspected.has_value());
  EXPECT_EQ(suspected->verdict, GetParam().verdict == Verdict::RaceFree ? Verdict::RaceFree : Verdict::Unknown);
}

constexpr Verdict safe = Verdict::RaceFree;
constexpr Verdict racy = Verdict::Race;

const Case phases[] = {
    {"BesideTheThread", racy, "int main(void) { pthread_t t; pthread_create(&t, 0, bump, 0); g = 1; return 0; }"},
    {"BeforeTheThread", safe, "int main(void) { pthread_t t; g = 1; pthread_create(&t, 0, bump, 0); return 0; }"},
    {"BehindTheJoin", safe,
     "int main(void) { pthread_t t; pthread_create(&t, 0, bump, 0); pthread_join(t, 0); g = 1; return 0; }"},
    {"JoinOnOnePathOnly", racy,
     "int main(void) { pthread_t t; pthread_create(&t, 0, bump, 0); if (__VERIFIER_nondet_int()) pthread_join(t, 0); g "
     "= 1; return 0; }"},
    {"OneAfterTheOther", safe,
     "int main(void) { for (int i = 0; i < 3; i++) { pthread_t t; pthread_create(&t, 0, bump, 0); pthread_join(t, 0); "
     "} return 0; }"},
    {"TwoAtOnce", racy,
     "int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, bump, 0); return 0; }"},
    {"AllJoinedInALoop", safe,
     "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, locked, 0); for (int i = "
     "0; i < 3; i++) pthread_join(t[i], 0); g = 1; return 0; }"},
    {"OneNotJoined", racy,
     "int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, locked, 0); for (int i = "
     "0; i < 2; i++) pthread_join(t[i], 0); g = 1; return 0; }"},
    {"GrandchildOutlivesItsParent", racy,
     "static void *w(void *a) { pthread_t k; pthread_create(&k, 0, bump, a); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); g = 1; return 0; }"},
    {"GrandchildJoinedByItsParent", safe,
     "static void *w(void *a) { pthread_t k; pthread_create(&k, 0, bump, a); pthread_join(k, 0); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); g = 1; return 0; }"},
    {"APartForEach", safe,
     "static void *w(void *a) { *(int *)a = 1; return 0; }\n"
     "int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, &d[i]); return 0; }"},
    {"PartsThatRepeat", racy,
     "static void *w(void *a) { *(int *)a = 1; return 0; }\n"
     "int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, &d[i & 1]); return 0; "
     "}"},
};

const Case locks[] = {
    {"SameMutex", safe, "int main(void) { pthread_t t; pthread_create(&t, 0, locked, 0); locked(0); return 0; }"},
    {"OtherMutex", racy,
     "int main(void) { pthread_t t; pthread_create(&t, 0, locked, 0); pthread_mutex_lock(&m2); g = 1; "
     "pthread_mutex_unlock(&m2); return 0; }"},
    {"BehindTheUnlock", racy,
     "int main(void) { pthread_t t; pthread_create(&t, 0, locked, 0); pthread_mutex_lock(&m); "
     "pthread_mutex_unlock(&m); g = 1; return 0; }"},
    {"TriedAndChecked", safe,
     "int main(void) { pthread_t t; pthread_create(&t, 0, locked, 0); if (pthread_mutex_trylock(&m) == 0) { g = 1; "
     "pthread_mutex_unlock(&m); } return 0; }"},
    {"TriedAndNotChecked", racy,
     "int main(void) { pthread_t t; pthread_create(&t, 0, locked, 0); pthread_mutex_trylock(&m); g = 1; return 0; }"},
    {"ReaderAndWriter", safe,
     "static void *w(void *a) { (void)a; pthread_rwlock_wrlock(&rw); g++; pthread_rwlock_unlock(&rw); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_rwlock_rdlock(&rw); int x = g; "
     "pthread_rwlock_unlock(&rw); return x; }"},
    {"ReaderThatWrites", racy,
     "static void *w(void *a) { (void)a; pthread_rwlock_rdlock(&rw); g++; pthread_rwlock_unlock(&rw); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); return 0; }"},
    {"SemaphoreOfOne", safe,
     "static void *w(void *a) { (void)a; sem_wait(&s); g++; sem_post(&s); return 0; }\n"
     "int main(void) { pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, w, 0); w(0); return 0; }"},
    {"SemaphoreOfTwo", racy,
     "static void *w(void *a) { (void)a; sem_wait(&s); g++; sem_post(&s); return 0; }\n"
     "int main(void) { pthread_t t; sem_init(&s, 0, 2); pthread_create(&t, 0, w, 0); w(0); return 0; }"},
    {"SemaphorePostedByAnother", racy,
     "static void *w(void *a) { (void)a; sem_wait(&s); g++; sem_post(&s); return 0; }\n"
     "int main(void) { pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, w, 0); sem_post(&s); w(0); return 0; }"},
    {"Once", safe,
     "static void init(void) { g = 1; }\nstatic void *w(void *a) { (void)a; pthread_once(&o, init); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_once(&o, init); return g; }"},
    {"OnceAndBesideIt", racy,
     "static void init(void) { g = 1; }\nstatic void *w(void *a) { (void)a; pthread_once(&o, init); return 0; }\n"
     "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return g; }"},
    {"LockNextToTheData", safe,
     "struct N { pthread_mutex_t l; int v; };\n"
     "static void *w(void *a) { struct N *n = a; pthread_mutex_lock(&n->l); n->v++; pthread_mutex_unlock(&n->l); "
     "return 0; }\n"
     "int main(void) { for (int i = 0; i < 2; i++) { pthread_t t; struct N *n = malloc(sizeof *n); "
     "pthread_mutex_init(&n->l, 0); pthread_create(&t, 0, w, n); w(n); } return 0; }"},
    {"LockOfEachForAllData", racy,
     "struct N { pthread_mutex_t l; int v; };\n"
     "static void *w(void *a) { struct N *n = a; pthread_mutex_lock(&n->l); g++; pthread_mutex_unlock(&n->l); return "
     "0; }\n"
     "int main(void) { for (int i = 0; i < 2; i++) { pthread_t t; struct N *n = malloc(sizeof *n); "
     "pthread_mutex_init(&n->l, 0); pthread_create(&t, 0, w, n); } return 0; }"},
    {"LockAtTheSameIndex", safe,
     "pthread_mutex_t ms[4];\nstatic void *w(void *a) { (void)a; int i = __VERIFIER_nondet_int() & 3; "
     "pthread_mutex_lock(&ms[i]); d[i]++; pthread_mutex_unlock(&ms[i]); return 0; }\n"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); return 0; }"},
    {"LockAtAnotherIndex", racy,
     "pthread_mutex_t ms[5];\nstatic void *w(void *a) { (void)a; int i = __VERIFIER_nondet_int() & 3; "
     "pthread_mutex_lock(&ms[i]); d[0]++; pthread_mutex_unlock(&ms[i]); return 0; }\n"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); return 0; }"},
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Phases, Verify, ::testing::ValuesIn(phases), name_of);
INSTANTIATE_TEST_SUITE_P(Locks, Verify, ::testing::ValuesIn(locks), name_of);

RaceReport verify_as_large(const std::string& text) {
  const frontend::ScratchFolder folder;
  Input input;
  input.sources = {{folder.write("unit.c", prelude + text), {}}};
  VerifyOptions options;
  options.large_program = 1;
  options.large_step_budget = 1;
  options.search_budget = 0;
  const Result<RaceReport> report = verify(input, options);
  EXPECT_TRUE(report.has_value());
  return report.value_or(RaceReport{});
}

/// Neither of the two may pass for a proof, whatever it has seen.
TEST(VerifyStopped, NothingIsProved) {
  const frontend::ScratchFolder folder;
  Input input;
  const std::string text =
      "static void *safe(void *a) { pthread_mutex_lock(&m); g++; pthread_mutex_unlock(&m); return a; }"
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, safe, 0); pthread_create(&b, 0, safe, 0);"
      "pthread_join(a, 0); pthread_join(b, 0); return g; }";
  input.sources = {{folder.write("unit.c", prelude + text), {}}};
  VerifyOptions options;
  ASSERT_EQ(verify(input, options)->verdict, Verdict::RaceFree);
  const std::atomic<bool> interrupted = true;
  options.stop = Stop(0, &interrupted);
  options.static_proofs = false;  // small programs are done before anybody looks at the clock
  const Result<RaceReport> report = verify(input, options);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->verdict, Verdict::Unknown);
  EXPECT_TRUE(
      std::ranges::any_of(report->obstacles, [](const ReportObstacle& o) { return o.what.contains("interrupted"); }));
}

TEST(VerifyStopped, MemoryThatIsUsedUpIsNoProof) {
  const frontend::ScratchFolder folder;
  Input input;
  std::string text = "static void *run(void *a) { int s = 0;";
  for (int i = 0; i < 400; ++i) text += "if (g > " + std::to_string(i) + ") s += g;";
  text += "return s ? a : 0; } int main(void) { pthread_t a; pthread_create(&a, 0, run, 0); return 0; }";
  input.sources = {{folder.write("unit.c", prelude + text), {}}};
  const MemoryLimit little(std::uint64_t{1} << 20);
  VerifyOptions options;
  options.search_budget = 0;
  options.stop = Stop(0, nullptr, nullptr, &little);
  const Result<RaceReport> report = verify(input, options);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->verdict, Verdict::Unknown);
  const auto tells = [](const ReportObstacle& o) { return o.what.contains("the memory limit (1M, --memory-limit)"); };
  EXPECT_TRUE(std::ranges::any_of(report->obstacles, tells));
  EXPECT_TRUE(std::ranges::any_of(report->coverage.blind_spots, &ReportBlindSpot::may_hide)) << "of the scan";
}

TEST(VerifyTooLarge, WarningsAreThoseOfAScan) {
  const RaceReport report = verify_as_large(
      "int main(void) { pthread_t a, b; pthread_create(&a, 0, bump, 0); pthread_create(&b, 0, bump, 0); return 0; }");
  EXPECT_EQ(report.verdict, Verdict::Unknown);
  ASSERT_FALSE(report.races.empty());
  EXPECT_EQ(report.races[0].variable, "g");
  EXPECT_FALSE(report.races[0].opinions.empty()) << "verify has none of its own";
  EXPECT_TRUE(std::ranges::any_of(report.obstacles, [](const ReportObstacle& o) { return o.what.contains("a scan"); }));
}

TEST(VerifyTooLarge, NothingIsProved) {
  const RaceReport report = verify_as_large("int main(void) { g = 1; return 0; }");
  EXPECT_EQ(report.verdict, Verdict::Unknown);
  EXPECT_TRUE(report.races.empty());
  EXPECT_FALSE(report.obstacles.empty());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
