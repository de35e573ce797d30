// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/scan.h"

#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

std::string two_workers(const std::string& body, const std::string& before = "") {
  return threads_h + before + "\nvoid *worker(void *arg) { " + body +
         " return 0; }\nint main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); "
         "}\n";
}

TEST(Scan, ReentrantLocksAreCounted) {
  const std::string before = "pthread_mutex_t m; int x; static void inner(void) { take(&m); x++; give(&m); }";
  EXPECT_EQ(Scanned(two_workers("take(&m); inner(); x++; give(&m);", before)).warnings(), Lines{});
}

TEST(Scan, LockThatTheCalleeReleasesAndTakesAgainIsHeldOnce) {
  const std::string before = "pthread_mutex_t m; int x; static void yield_lock(void) { give(&m); take(&m); }";
  EXPECT_EQ(Scanned(two_workers("take(&m); yield_lock(); x++; give(&m);", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("take(&m); yield_lock(); give(&m); x++;", before)).warnings().size(), 2U);
}

TEST(Scan, AccessesOfAHundredFunctionsThatCallEachOtherAreFound) {
  const std::string before = "struct box { int more; long n; } *one; pthread_mutex_t m;\n";
  for (const int which : {0, 1, 50, 98, 99}) {
    const std::string functions = before + ring(which, "p->n++;");
    EXPECT_EQ(Scanned(two_workers("f12(one);", functions)).warnings().size(), 2U) << which;
    EXPECT_EQ(Scanned(two_workers("take(&m); f12(one); give(&m);", functions)).warnings(), Lines{}) << which;
  }
}

TEST(Scan, LockOfNewMemoryThatWasGivenBackIsNothingToCallers) {
  const Scanned scanned(threads_h + R"(
void *malloc(unsigned long);
struct box { pthread_mutex_t m; int n; };
struct box *make(void) { struct box *b = malloc(sizeof *b); give(&b->m); return b; }
void unlock(struct box *b) { give(&b->m); }
int main(void) { unlock(make()); }
)");
  EXPECT_EQ(scanned.exit("make"), "({},{})");
  EXPECT_EQ(scanned.exit("unlock"), "({},{b->m})");
}

TEST(Scan, MemoryThatTheCallerHasNoNameForIsTouchedAllTheSame) {
  const std::string before = R"(
pthread_mutex_t m; struct node { struct node *next; int x; } *list; struct iterator { struct node *at; };
static struct node *pick(struct node *n, int k) { while (k--) n = n->next; return n; }
static void fill(struct iterator *i, int k) { i->at = pick(list, k); }
static void third(struct node *n) { n->next->x++; }
static void second(struct node *n) { third(n->next); }
static void step(struct iterator *i) { i->at->x++; }
)";
  const std::string steps = "struct iterator i; fill(&i, arg != 0); step(&i);";
  EXPECT_EQ(Scanned(two_workers("second(list);", before)).warnings().size(), 2U);
  EXPECT_EQ(Scanned(two_workers(steps, before)).warnings().size(), 2U);
  EXPECT_EQ(Scanned(two_workers("take(&m); second(list); give(&m);", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("take(&m); " + steps + " give(&m);", before)).warnings(), Lines{});
}

TEST(Scan, TryLockMayBeWrapped) {
  const std::string before =
      "pthread_mutex_t m; int x; static int attempt(pthread_mutex_t *p) { return pthread_mutex_trylock(p); }\n"
      "static int again(pthread_mutex_t *p) { return attempt(p); }";
  EXPECT_EQ(Scanned(two_workers("if (again(&m)) return 0; x++; give(&m);", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("int e = attempt(&m); if (e == 0) { x++; give(&m); }", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("if (!again(&m)) give(&m); else x++;", before)).warnings().size(), 2U);
  EXPECT_EQ(Scanned(two_workers("again(&m); x++; give(&m);", before)).warnings().size(), 2U);
}

TEST(Scan, ErrnoIsEachThreadsOwnAndTheBufferOfLocaltimeIsNot) {
  EXPECT_EQ(Scanned(two_workers("*__errno_location() = 0;", "int *__errno_location(void);")).warnings(), Lines{});
  const std::string time_h = "struct tm { int tm_sec; }; struct tm *localtime(const long *);";
  EXPECT_FALSE(Scanned(two_workers("long now = 0; localtime(&now)->tm_sec++;", time_h)).warnings().empty());
}

TEST(Scan, TryLockHoldsOnlyWhereItSucceeded) {
  const std::string before = "pthread_mutex_t m; int x;";
  EXPECT_EQ(Scanned(two_workers("if (pthread_mutex_trylock(&m) == 0) { x++; give(&m); }", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("if (pthread_mutex_trylock(&m)) { x = 1; }", before)).warnings().size(), 1U);
}

TEST(Scan, LockBesideTheDataProtectsIt) {
  const std::string before = "struct s { pthread_mutex_t m; int x; struct s *next; } *head, *other;";
  EXPECT_EQ(
      Scanned(two_workers("for (struct s *p = head; p; p = p->next) { take(&p->m); p->x++; give(&p->m); }", before))
          .warnings(),
      Lines{});
  // The lock of another element does not.
  EXPECT_FALSE(
      Scanned(
          two_workers("for (struct s *p = head; p; p = p->next) { take(&p->m); other->x = 1; give(&p->m); }", before))
          .warnings()
          .empty());
}

TEST(Scan, LockOfAnEarlierRoundIsNotHeld) {
  const std::string before = "struct s { pthread_mutex_t m; int x; } a[8];";
  EXPECT_FALSE(
      Scanned(two_workers("for (int i = 0; i < 8; i++) { a[i].x = 1; take(&a[i].m); }", before)).warnings().empty());
}

TEST(Scan, ReadLocksDoNotExcludeReaders) {
  const std::string before = "pthread_rwlock_t m; int x;";
  EXPECT_EQ(
      Scanned(two_workers("pthread_rwlock_rdlock(&m); x = 1; pthread_rwlock_unlock(&m);", before)).warnings().size(),
      1U);
  EXPECT_EQ(Scanned(two_workers("pthread_rwlock_wrlock(&m); x = 1; pthread_rwlock_unlock(&m);", before)).warnings(),
            Lines{});
}

TEST(Scan, LockHeldByAllCallersProtectsGlobals) {
  const std::string before = "pthread_mutex_t m; int x; static void set(void) { x = 1; }";
  EXPECT_EQ(Scanned(two_workers("take(&m); set(); give(&m);", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("take(&m); set(); give(&m); set();", before)).warnings().size(), 1U);
}

TEST(Scan, LockGivenBackForAWhileOnOneWayIsStillHeld) {
  const std::string before =
      "pthread_mutex_t m; int x; static void pause(int n) { if (n) { give(&m); take(&m); } }\n"
      "static void drop(int n) { if (n) give(&m); }\n";
  EXPECT_EQ(Scanned(two_workers("take(&m); pause(arg != 0); x++; give(&m);", before)).warnings(), Lines{});
  EXPECT_EQ(Scanned(two_workers("pause(arg != 0); x++;", before)).warnings().size(), 2U);
  EXPECT_EQ(Scanned(two_workers("take(&m); drop(arg != 0); x++;", before)).warnings().size(), 2U);
}

TEST(Scan, ElementsOfAnArrayOfLocksAreNotOtherLocks) {
  const std::string before = "pthread_mutex_t m, l[4]; int x, i;";
  EXPECT_EQ(Scanned(two_workers("int k = i; take(&m); take(&l[k]); give(&l[k]); x++; give(&m);", before)).warnings(),
            Lines{});
}

TEST(Scan, CallThatNeverReturnsEndsTheWay) {
  const std::string before =
      "void exit(int) __attribute__((noreturn)); pthread_mutex_t m; int x;\n"
      "static void fatal(void) { exit(1); }\nstatic void check(int n) { if (n) { give(&m); fatal(); } }\n";
  EXPECT_EQ(Scanned(two_workers("take(&m); check(arg != 0); x++; give(&m);", before)).warnings(), Lines{});
}

TEST(Scan, NothingRacesBeforeTheFirstThread) {
  const std::string text = threads_h + R"(
int x; pthread_mutex_t m;
static void set(int v) { x = v; }
void *worker(void *arg) { take(&m); set(2); give(&m); return 0; }
int main(void) { pthread_t t; set(1); pthread_create(&t, 0, worker, 0); return 0; }
)";
  EXPECT_EQ(Scanned(text).warnings(), Lines{});
}

TEST(Scan, ThreadsAreFoundThroughWrappersAndTables) {
  const Scanned wrapped(threads_h + R"(
int x;
static void start(void *(*fn)(void *)) { pthread_t t; pthread_create(&t, 0, fn, 0); }
void *worker(void *arg) { x++; return 0; }
int main(void) { start(worker); start(worker); }
)");
  EXPECT_EQ(wrapped.warnings().size(), 2U);  // write against write, write against read
  const Scanned table(threads_h + R"(
int x;
struct job { void (*run)(void); } jobs[1];
static void add(int n) { x += n; }
static void one(void) { add(1); }
static void put(void (*run)(void)) { jobs[0].run = run; }
void *worker(void *arg) { jobs[0].run(); return 0; }
int main(void) { pthread_t t; put(one); for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0); }
)");
  EXPECT_EQ(table.warnings().size(), 2U);
  const Scanned result(threads_h + R"(
int x;
struct dst { int n; void (*input)(void); };
struct twin { int n; void (*other)(void); } twins[1];
unsigned long word(void);
static struct dst *find_dst(void) { return (struct dst *)(word() & ~1UL); }
static void forward(void) { x++; }
void set(struct dst *d) { d->input = forward; twins[0].n = 1; }
void *worker(void *arg) { find_dst()->input(); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, worker, 0); }
)");
  EXPECT_EQ(result.warnings().size(), 2U);  // by the type the call is declared with: `struct twin` looks the same
}

TEST(Scan, GuardInferenceCountsWhoHoldsTheLock) {
  const std::string before =
      "pthread_mutex_t m; int x; void a(void) { take(&m); x = 1; give(&m); } void b(void) { take(&m); x = 2; give(&m); "
      "}";
  const Scanned s(two_workers("a(); b(); x = 3;", before));
  ASSERT_FALSE(s.report().races.empty());
  EXPECT_EQ(s.report().races[0].reasons.at(0), "2 of 3 accesses hold 'm'");
}

TEST(Scan, WorkersGiveTheSameReport) {
  std::string text = threads_h + "int x[50]; pthread_mutex_t m;\n";
  for (int i = 0; i < 50; ++i)
    text += "void f" + std::to_string(i) + "(int v) { " + (i > 0 ? "f" + std::to_string(i / 2) + "(v);" : "") + " x[" +
            std::to_string(i) + "] = v; }\n";
  text = text.substr(0, text.size()) +
         "void *worker(void *a) { for (int i = 0; i < 3; i++) f49(i); f48(2); return 0; }\n" +
         "int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_create(&t, 0, worker, 0); }\n";
  const Scanned one(text, 1), two(text, 2);
  EXPECT_EQ(one.warnings(), two.warnings());
  EXPECT_FALSE(one.warnings().empty());
}

TEST(Scan, WhatIsPublishedByAnAtomicOperationIsKnownFromThenOn) {
  const auto writes = [](const std::string& body) {
    return Scanned(
               threads_h + "struct n { int v; struct n *next; }; struct n *g; struct box { struct n *p; } b;\n" +
               "void *r(void *a) { struct n *p = __atomic_load_n(&g, 2); if (!p) p = b.p; return p ? (void "
               "*)(long)p->v : 0; }\n" +
               "void *w(void *a) { struct n *p = malloc(sizeof *p), *old = 0; " + body + " return 0; }\n" +
               "int main(void) { pthread_t p, q; pthread_create(&p, 0, w, 0); pthread_create(&q, 0, r, 0); return 0; }")
        .warnings();
  };
  const Lines racy = {"p->v: write w / read r"};
  EXPECT_EQ(writes("p->v = 1; __atomic_store_n(&g, p, 3);"), Lines{});
  EXPECT_EQ(writes("p->v = 1; __atomic_exchange_n(&g, p, 4);"), Lines{});
  EXPECT_EQ(writes("__atomic_store_n(&g, p, 3); p->v = 1;"), racy);
  EXPECT_EQ(writes("__atomic_exchange_n(&g, p, 4); p->v = 1;"), racy);
  EXPECT_EQ(writes("if (__atomic_compare_exchange_n(&g, &old, p, 0, 4, 0)) p->v = 1;"), racy);
  EXPECT_EQ(writes("struct box t; t.p = p; b = t; p->v = 1;"), (Lines{"b.p: write w / read r", racy[0]}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
