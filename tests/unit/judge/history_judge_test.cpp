// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge `history` on whole programs, as `verify` asks it and without a search behind it. Each row is two threads
// that both write `x`, mostly without a common lock: those that ought to be refuted, and those in which something
// little is wrong with the orders, so that they may not be.
#include "judge/history/history_judge.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "frontend/scratch_source.h"
#include "pipeline/scan.h"
#include "pipeline/verify.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

constexpr const char* prelude = R"(#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#define L(m) pthread_mutex_lock(&m)
#define U(m) pthread_mutex_unlock(&m)
#define T(m) pthread_mutex_trylock(&m)
#define R(w) pthread_rwlock_rdlock(&w)
#define W(w) pthread_rwlock_wrlock(&w)
#define V(w) pthread_rwlock_unlock(&w)
int x;
volatile int c0;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t v = PTHREAD_COND_INITIALIZER;
extern int __VERIFIER_nondet_int(void);
#define ANY __VERIFIER_nondet_int()
)";

/// Both start `first` and `second`; `set_up` runs before that.
constexpr const char* usual_main = R"(
int main(void) {
  pthread_t s, t;
  set_up();
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
})";

struct Row {
  const char* name;
  bool is_refuted;  ///< all pairs of writes of `x`; else not all
  std::string first;
  std::string second = "L(b); L(a); U(a); x = 2; U(b);";
  std::string globals = "";
  std::string set_up = "";
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

std::string text_of(const Row& row) {
  return std::string(prelude) + row.globals + "\nvoid *first(void *arg) { " + row.first +
         " return arg; }\nvoid *second(void *arg) { " + row.second + " return arg; }\nvoid set_up(void) { " +
         row.set_up + " }" + usual_main;
}

/// The verdicts on pairs of accesses to `x`, by how many pairs have them.
std::map<std::string, int> verdicts(const std::string& text, bool histories = true) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", text), {}}};
  pipeline::VerifyOptions options;
  options.search_budget = 0;
  options.histories = histories;
  options.transactions = false;
  const auto report = pipeline::verify(input, options);
  if (!report) return {{report.error().message, 1}};
  std::map<std::string, int> out;
  for (const ReportRace& race : report->races)
    if (race.variable == "x") ++out[race.verdict == RaceVerdict::Refuted ? race.proof : "open"];
  return out;
}

/// The same of a scan: its locks have other names, so that it may refute less, and never more.
std::map<std::string, int> verdicts_of_scan(const std::string& text, bool histories = true) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", text), {}}};
  pipeline::ScanOptions options;
  options.how.histories = histories;
  options.how.values = options.how.transactions = false;
  const auto result = pipeline::scan(input, options);
  if (!result) return {{result.error().message, 1}};
  std::map<std::string, int> out;
  for (const ReportRace& race : result->report.races)
    if (race.variable == "x") ++out[race.verdict == RaceVerdict::Refuted ? race.proof : "open"];
  return out;
}

class HistoryAttack : public testing::TestWithParam<Row> {};

TEST_P(HistoryAttack, Says) {
  const auto found = verdicts(text_of(GetParam()));
  EXPECT_FALSE(found.empty()) << "nothing to judge";
  EXPECT_EQ(!found.contains("open"), GetParam().is_refuted) << testing::PrintToString(found);
  EXPECT_FALSE(verdicts(text_of(GetParam()), false).contains("history"));
}

TEST_P(HistoryAttack, ScanSays) {
  const auto found = verdicts_of_scan(text_of(GetParam()));
  if (!GetParam().is_refuted) EXPECT_TRUE(found.empty() || found.contains("open")) << testing::PrintToString(found);
  EXPECT_FALSE(verdicts_of_scan(text_of(GetParam()), false).contains("history"));
}

const char* const opposite = "L(a); L(b); U(b); x = 1; U(a);";

const Row orders[] = {
    {"Opposite", true, opposite},
    {"OneSideOnly", false, "L(a); x = 1; U(a);"},
    {"OtherSideOnly", false, opposite, "L(b); x = 2; U(b);"},
    {"TakenBefore", false, "L(b); U(b); L(a); x = 1; U(a);"},
    {"TakenAnew", false, "L(a); L(b); U(b); U(a); L(a); x = 1; U(a);"},
    {"TakenTwiceSince", true, "L(a); L(b); U(b); L(b); U(b); x = 1; U(a);"},
    {"NotNested", true, opposite, "L(c); L(b); U(c); L(a); U(a); x = 2; U(b);"},
    {"CrossedRelease", true, "L(c); L(a); L(b); U(c); U(b); x = 1; U(a);"},
    {"CycleOfThree", false, opposite, "L(b); L(c); U(c); x = 2; U(b);"},
    {"ThroughAThird", true, "L(a); L(c); L(b); U(b); U(c); x = 1; U(a);"},
    {"HeldLockOfAThird", true, "L(c); L(a); U(c); L(b); U(b); x = 1; U(a);"},
    {"OtherVariablesLock", false, "L(a); L(c); U(c); x = 1; U(a);"},
    {"Unlocked", false, "L(a); L(b); U(b); U(a); x = 1;"},
    {"AccessBeforeIt", false, "L(a); x = 1; L(b); U(b); U(a);"},
};
const Row paths[] = {
    {"OnOnePath", false, "L(a); if (ANY) { L(b); U(b); } x = 1; U(a);"},
    {"OnBothPaths", true, "L(a); if (ANY) { L(b); U(b); } else { L(b); U(b); } x = 1; U(a);"},
    {"LoopMayNotRun", false, "L(a); for (int i = ANY; i < 3; i++) { L(b); U(b); } x = 1; U(a);"},
    {"LoopRuns", true, "L(a); int i = 0; do { L(b); U(b); } while (ANY); x = 1; U(a);"},
    {"SecondRound", false, "for (int i = 0; i < 2; i++) { L(a); if (i) { L(b); U(b); } x = 1; U(a); }"},
    {"SkippedByGoto", false, "L(a); if (ANY) goto out; L(b); U(b); out: x = 1; U(a);"},
    {"ReleasedOnOnePath", false, "L(a); L(b); U(b); if (ANY) { U(a); L(a); } x = 1; U(a);"},
    {"ReleasedInALoop", false, "L(a); L(b); U(b); for (int i = ANY; i < 3; i++) { U(a); L(a); } x = 1; U(a);"},
    {"InFunctions", true, "L(a); brief(); x = 1; U(a);", "L(b); L(a); U(a); x = 2; U(b);",
     "static void brief(void) { L(b); U(b); }"},
    {"HalfInFunctions", false, "L(a); brief(ANY); x = 1; U(a);", "L(b); L(a); U(a); x = 2; U(b);",
     "static void brief(int n) { if (n) return; L(b); U(b); }"},
    {"RelockedInAFunction", false, "L(a); L(b); U(b); again(); x = 1; U(a);", "L(b); L(a); U(a); x = 2; U(b);",
     "static void again(void) { U(a); L(a); }"},
    {"OneFunctionTwoOrders", false, "if (ANY) set(); L(a); L(b); U(b); set(); U(a);", "L(b); L(a); U(a); set(); U(b);",
     "static void set(void) { x = 1; }"},
    {"OneFunctionOneOrder", true, "L(a); L(b); U(b); set(); U(a);", "L(b); L(a); U(a); other(); U(b);",
     "static void set(void) { x = 1; } static void other(void) { x = 2; }"},
};
const Row tries[] = {
    {"Succeeded", true, "L(a); if (T(b) == 0) { U(b); x = 1; } U(a);"},
    {"Failed", false, "L(a); if (T(b) == 0) U(b); else x = 1; U(a);"},
    {"NotAsked", false, "L(a); if (T(b) == 0) U(b); x = 1; U(a);"},
    {"HeldByATry", true, "if (T(a) == 0) { L(b); U(b); x = 1; U(a); }"},
    {"TriedUntilTaken", true, "L(a); while (T(b)) {} U(b); x = 1; U(a);"},
    {"TimedAndAsked", true,
     "struct timespec t = {0, 0}; L(a); if (!pthread_mutex_timedlock(&b, &t)) { U(b); x = 1; } U(a);"},
    {"TimedNotAsked", false,
     "struct timespec t = {0, 0}; L(a); if (!pthread_mutex_timedlock(&b, &t)) U(b); x = 1; U(a);"},
};
const Row modes[] = {
    {"TwoReaders", false, "R(w); L(b); U(b); x = 1; V(w);", "L(b); R(w); V(w); x = 2; U(b);"},
    {"ReaderHoldsWriterTakes", true, "R(w); L(b); U(b); x = 1; V(w);", "L(b); W(w); V(w); x = 2; U(b);"},
    {"WriterHoldsReaderTakes", true, "W(w); L(b); U(b); x = 1; V(w);", "L(b); R(w); V(w); x = 2; U(b);"},
    {"ReaderOnOnePath", false, "if (ANY) W(w); else R(w); L(b); U(b); x = 1; V(w);", "L(b); R(w); V(w); x = 2; U(b);"},
    {"TakenByAReaderOnOnePath", false, "R(w); L(b); U(b); x = 1; V(w);",
     "L(b); if (ANY) { R(w); V(w); } else { W(w); V(w); } x = 2; U(b);"},
    {"TakenInBothModes", true, "R(w); L(b); U(b); x = 1; V(w);", "L(b); R(w); V(w); W(w); V(w); x = 2; U(b);"},
    {"Downgraded", false, "W(w); L(b); U(b); V(w); R(w); x = 1; V(w);", "L(b); W(w); V(w); x = 2; U(b);"},
    {"ReaderTwice", false, "R(w); R(w); L(b); U(b); V(w); x = 1; V(w);", "L(b); R(w); V(w); x = 2; U(b);"},
};
const Row waits[] = {
    {"GivesItsLockBack", false, "L(a); L(b); U(b); pthread_cond_wait(&v, &a); x = 1; U(a);"},
    {"TakesItAgain", true, "L(b); L(a); pthread_cond_wait(&v, &b); U(b); x = 1; U(a);"},
    {"Timed", false, "struct timespec t = {0, 0}; L(a); L(b); U(b); pthread_cond_timedwait(&v, &a, &t); x = 1; U(a);"},
    {"OnOnePath", false, "L(a); L(b); U(b); if (ANY) pthread_cond_wait(&v, &a); x = 1; U(a);"},
    {"ByAPointer", false,
     "pthread_mutex_t *p = ANY ? &a : &c; L(c); L(a); L(b); U(b); pthread_cond_wait(&v, p); x = 1; "
     "U(a); U(c);"},
    {"OfAnother", true, "L(a); L(b); U(b); L(c); pthread_cond_wait(&v, &c); U(c); x = 1; U(a);"},
    {"BeforeIt", true, "L(a); pthread_cond_wait(&v, &a); L(b); U(b); x = 1; U(a);"},
};
const char* const make_recursive =
    "pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_RECURSIVE); "
    "pthread_mutex_init(&r, &k);";
const char* const make_checked =
    "pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, PTHREAD_MUTEX_ERRORCHECK); "
    "pthread_mutex_init(&r, &k);";
const Row kinds[] = {
    {"RecursiveStillHeld", true, "L(r); L(b); U(b); L(r); U(r); x = 1; U(r);", "L(b); L(r); U(r); x = 2; U(b);",
     "pthread_mutex_t r;", make_recursive},
    {"RecursiveGivenBack", false, "L(r); L(r); L(b); U(b); U(r); U(r); L(r); x = 1; U(r);",
     "L(b); L(r); U(r); x = 2; U(b);", "pthread_mutex_t r;", make_recursive},
    {"CheckedAndRefused", false, "L(r); L(a); L(r); U(r); x = 1; U(a);", "L(r); x = 2; L(a); U(a); U(r);",
     "pthread_mutex_t r;", make_checked},
    {"CheckedAndHeldSince", true, "L(a); L(r); L(r); U(r); x = 1; U(a);", "L(r); L(a); U(a); x = 2; U(r);",
     "pthread_mutex_t r;", make_checked},
    {"SemaphoreIsALock", true, "L(a); sem_wait(&s); sem_post(&s); x = 1; U(a);",
     "sem_wait(&s); L(a); U(a); x = 2; sem_post(&s);", "sem_t s;", "sem_init(&s, 0, 1);"},
    {"SemaphoreOfTwo", false, "L(a); sem_wait(&s); sem_post(&s); x = 1; U(a);",
     "sem_wait(&s); L(a); U(a); x = 2; sem_post(&s);", "sem_t s;", "sem_init(&s, 0, 2);"},
    {"SemaphorePostedByOthers", false, "sem_post(&s); L(a); sem_wait(&s); sem_post(&s); x = 1; U(a);",
     "sem_wait(&s); L(a); U(a); x = 2; sem_post(&s);", "sem_t s;", "sem_init(&s, 0, 1);"},
    {"Spinlock", true, "pthread_spin_lock(&p); L(b); U(b); x = 1; pthread_spin_unlock(&p);",
     "L(b); pthread_spin_lock(&p); pthread_spin_unlock(&p); x = 2; U(b);", "pthread_spinlock_t p;",
     "pthread_spin_init(&p, 0);"},
    {"FlagIsALock", true, "L(a); while (atomic_exchange(&f, 1)) {} atomic_store(&f, 0); x = 1; U(a);",
     "while (atomic_exchange(&f, 1)) {} L(a); U(a); x = 2; atomic_store(&f, 0);", "atomic_int f;"},
    {"FlagFreedByOthers", false,
     "atomic_store(&f, 0); L(a); while (atomic_exchange(&f, 1)) {} atomic_store(&f, 0); x = 1; U(a);",
     "while (atomic_exchange(&f, 1)) {} L(a); U(a); x = 2; atomic_store(&f, 0);", "atomic_int f;"},
};
const Row names[] = {
    {"SurePointer", true, "pthread_mutex_t *p = &b; L(a); L(*p); U(*p); x = 1; U(a);"},
    {"ChosenPointer", false, "pthread_mutex_t *p = ANY ? &b : &c; L(a); L(*p); U(*p); x = 1; U(a);"},
    {"ReleasedByAChosenPointer", false,
     "pthread_mutex_t *p = ANY ? &a : &c; L(c); L(a); L(b); U(b); U(*p); L(*p); x = 1; U(a); U(c);"},
    {"KnownElements", true, "L(l[0]); L(l[1]); U(l[1]); x = 1; U(l[0]);", "L(l[1]); L(l[0]); U(l[0]); x = 2; U(l[1]);",
     "pthread_mutex_t l[2];", "pthread_mutex_init(&l[0], 0); pthread_mutex_init(&l[1], 0);"},
    {"AnyElement", false, "int i = ANY & 1; L(l[0]); L(l[i]); U(l[i]); x = 1; U(l[0]);",
     "L(l[1]); L(l[0]); U(l[0]); x = 2; U(l[1]);", "pthread_mutex_t l[2];",
     "pthread_mutex_init(&l[0], 0); pthread_mutex_init(&l[1], 0);"},
    {"ElementMeansAnotherLater", false, "int i = 1; L(l[0]); L(l[i]); U(l[i]); i = 2; x = 1; U(l[0]);",
     "int i = 2; L(l[i]); L(l[0]); U(l[0]); x = 2; U(l[i]);", "pthread_mutex_t l[3];", "pthread_mutex_init(&l[0], 0);"},
    {"OwnLock", false, "pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; L(a); L(own); U(own); x = 1; U(a);",
     "pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; L(own); L(a); U(a); x = 2; U(own);"},
    {"MembersOfOneObject", true, "L(o.m); L(o.n); U(o.n); x = 1; U(o.m);", "L(o.n); L(o.m); U(o.m); x = 2; U(o.n);",
     "struct { pthread_mutex_t m; int pad; pthread_mutex_t n; } o;",
     "pthread_mutex_init(&o.m, 0); pthread_mutex_init(&o.n, 0);"},
    {"MembersOfTwoObjects", false, "L(o[0].m); L(o[0].n); U(o[0].n); x = 1; U(o[0].m);",
     "L(o[1].n); L(o[1].m); U(o[1].m); x = 2; U(o[1].n);",
     "struct { pthread_mutex_t m; int pad; pthread_mutex_t n; } o[2];", "pthread_mutex_init(&o[0].m, 0);"},
};

std::string name_of(const testing::TestParamInfo<Row>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Orders, HistoryAttack, testing::ValuesIn(orders), name_of);
INSTANTIATE_TEST_SUITE_P(Paths, HistoryAttack, testing::ValuesIn(paths), name_of);
INSTANTIATE_TEST_SUITE_P(Tries, HistoryAttack, testing::ValuesIn(tries), name_of);
INSTANTIATE_TEST_SUITE_P(Modes, HistoryAttack, testing::ValuesIn(modes), name_of);
INSTANTIATE_TEST_SUITE_P(Waits, HistoryAttack, testing::ValuesIn(waits), name_of);
INSTANTIATE_TEST_SUITE_P(Kinds, HistoryAttack, testing::ValuesIn(kinds), name_of);
INSTANTIATE_TEST_SUITE_P(Names, HistoryAttack, testing::ValuesIn(names), name_of);

/// Main is a thread as any other, also with what it took before the other one was there.
TEST(HistoryJudge, LocksHeldWhileAThreadStarts) {
  const auto text = [](const std::string& before) {
    return std::string(prelude) + "void *second(void *arg) { L(b); L(a); U(a); x = 2; U(b); return arg; }" +
           "int main(void) { pthread_t t; " + before + " pthread_create(&t, 0, second, 0); x = 1; U(a); return 0; }";
  };
  EXPECT_EQ(verdicts(text("L(a); L(b); U(b);")), (std::map<std::string, int>{{"history", 1}}));
  EXPECT_EQ(verdicts(text("L(b); U(b); L(a);")), (std::map<std::string, int>{{"open", 1}}));
}

/// What the analysis could not treat may have given a lock back.
TEST(HistoryJudge, RefutesNothingBesideAnObstacle) {
  Row row{"Obstacle", true, opposite};
  EXPECT_EQ(verdicts(text_of(row)), (std::map<std::string, int>{{"history", 1}}));
  row.globals = "void unknown(void);";
  row.set_up = "unknown();";
  EXPECT_EQ(verdicts(text_of(row)), (std::map<std::string, int>{{"open", 1}}));
}

/// Two instances of one thread, which choose by their argument.
TEST(HistoryJudge, InstancesOfOneThread) {
  const std::string text = std::string(prelude) +
                           "void *work(void *arg) { if (arg) { L(a); L(b); U(b); x = 1; U(a); }"
                           "else { L(b); L(a); U(a); x = 2; U(b); } return 0; }"
                           "int main(void) { pthread_t t; for (int i = 0; i < 9; i++)"
                           "pthread_create(&t, 0, work, (void *)(long)(i & 1)); return 0; }";
  EXPECT_EQ(verdicts(text), (std::map<std::string, int>{{"history", 1}}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
