// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each assumption, with a program that it keeps quiet about.
#include "scan/calls/assumptions.h"

#include <gtest/gtest.h>

#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

std::string workers(const std::string& before, const std::string& body) {
  return threads_h + before + "\nvoid *worker(void *arg) { " + body +
         " return 0; }\nint main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); "
         "}\n";
}

/// How many warnings speak of a variable.
std::size_t warnings_on(const std::string& text, const std::string& variable, const Assumptions& assumptions) {
  const Lines all = Scanned(text, 1, assumptions).warnings();
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const std::string& line) { return line.contains(variable + ":"); }));
}

void expect_hidden_by(std::string_view name, const std::string& text, const std::string& variable) {
  EXPECT_EQ(warnings_on(text, variable, {}), 0U);
  Assumptions without;
  ASSERT_TRUE(without.drop(name));
  EXPECT_GT(warnings_on(text, variable, without), 0U);
  EXPECT_GT(warnings_on(text, variable, Assumptions::none()), 0U);
}

TEST(Assumptions, HaveOneNameEach) {
  EXPECT_EQ(Assumptions{}.names().size(), assumption_names.size());
  EXPECT_TRUE(Assumptions::none().names().empty());
  Assumptions all;
  EXPECT_FALSE(all.drop("one-parents"));
  for (const AssumptionName& row : assumption_names) EXPECT_TRUE(all.drop(row.name));
  EXPECT_EQ(all, Assumptions::none());
}

/// One thread that writes and one that reads: quiet with the assumption, and not without it.
void expect_apart_by(std::string_view name, const std::string& before, const std::string& write,
                     const std::string& read) {
  const std::string text = threads_h + before + "\nvoid *writer(void *a) { " + write +
                           " return 0; } void *reader(void *a) { " + read +
                           " return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, writer, 0); "
                           "pthread_create(&t, 0, reader, 0); }\n";
  EXPECT_EQ(Scanned(text).warnings(), Lines{});
  Assumptions without;
  ASSERT_TRUE(without.drop(name));
  EXPECT_NE(Scanned(text, 1, without).warnings(), Lines{});
}

TEST(Assumptions, UnknownExternals) {
  expect_apart_by("unknown-externals", "int x, y; void keep(int *); int *fetch(void);",
                  "keep(&x); int *p = fetch(); *p = 1;", "y = x;");
}

TEST(Assumptions, PointerArithmetic) {
  expect_apart_by("pointer-arithmetic", "int x, y, z; struct s { int *a, *b; } s = {&x, &z}; long key(void);",
                  "int **p = &s.a; p = (int **)((char *)p + key()); **p = 1;", "int *q = s.b; y = *q;");
}

TEST(Assumptions, PointerArithmeticInAnObjectWithMembers) {
  const std::string members = "struct s { long f, g, h; } all[4]; long key(void); long y;";
  expect_apart_by("pointer-arithmetic", members, "*(long *)((char *)all + key()) = 1;", "y = all[0].g;");
  expect_apart_by("pointer-arithmetic", members, "*(long *)((char *)all + 16 * key()) = 1;", "y = all[2].h;");
}

TEST(Assumptions, ReportListsThoseThatAreOn) {
  Assumptions without;
  without.drop("one-parent");
  const Lines listed = Scanned(workers("", ""), 1, without).report().assumptions;
  EXPECT_EQ(std::ranges::count(listed, "one-parent"), 0);
  EXPECT_EQ(std::ranges::count(listed, "one-element"), 1);
}

TEST(Assumptions, StablePaths) {
  expect_hidden_by("stable-paths",
                   workers("struct table { pthread_mutex_t m; }; struct { struct table *table; } *g; int x;",
                           "take(&g->table->m); x = 1; give(&g->table->m);"),
                   "x");
}

TEST(Assumptions, SettledPointers) {
  expect_hidden_by("settled-pointers",
                   workers("pthread_mutex_t m, *p = &m; int x;",
                           "if (arg) { take(p); x = 1; give(p); } else { take(&m); x = 2; give(&m); }"),
                   "x");
}

TEST(Assumptions, OneParent) {
  expect_hidden_by("one-parent",
                   workers("struct dev { pthread_mutex_t m; struct { int x; } *priv; } *all[8];",
                           "struct dev *d = all[arg != 0]; take(&d->m); d->priv->x = 1; give(&d->m);"),
                   "d->priv->x");
}

TEST(Assumptions, OneElement) {
  expect_hidden_by("one-element",
                   workers("struct s { pthread_mutex_t m; int x; } a[8]; static void set(struct s *s, long i) { "
                           "take(&s[i].m); s[i].x = 1; give(&s[i].m); }",
                           "set(a, (long)arg);"),
                   "s[i].x");
}

TEST(Assumptions, TypedMemory) {
  expect_hidden_by("typed-memory", threads_h + R"(
struct a { int n, x; } *g; struct b { int n, y; } *h;
void *first(void *arg) { g->x = 1; return 0; }
void *second(void *arg) { h->y = 2; return 0; }
int main(void) { pthread_t t; h = (struct b *)(g = malloc(8)); pthread_create(&t, 0, first, 0); pthread_create(&t, 0, second, 0); return 0; }
)",
                   "g->x");
}

TEST(Assumptions, SmallClasses) {
  std::string body = "long i = (long)arg;";
  for (int i = 0; i < 1600; ++i) body += "*p[i] = 1;\n";
  const std::string text = workers("int *p[8];", body);
  expect_hidden_by("small-classes", text, "*p[i]");
  const RaceReport report = Scanned(text).report();
  EXPECT_EQ(std::ranges::count(report.assumptions, "small-classes (1 class)"), 1);
  EXPECT_TRUE(std::ranges::any_of(report.coverage.blind_spots, [](const ReportBlindSpot& spot) {
    return spot.may_hide && spot.what.starts_with("1 class of pointers");
  }));
  const RaceReport small = Scanned(workers("int *p[8];", "long i = (long)arg; *p[i] = 1;")).report();
  EXPECT_TRUE(std::ranges::none_of(small.assumptions, [](const std::string& a) { return a.starts_with("small"); }));
}

TEST(Assumptions, FunctionTables) {
  expect_hidden_by("function-tables", threads_h + R"(
struct { long n; void (*fn)(void); } o; int x; static void quiet(void) {} static void loud(void) { x = 1; }
static void set(void **to, void *fn) { *to = fn; }
void *worker(void *arg) { o.fn(); return 0; }
int main(void) { pthread_t t; o.fn = quiet; set((void **)&o.fn, (void *)loud); for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); }
)",
                   "x");
}

TEST(Assumptions, FunctionTypes) {
  expect_hidden_by("function-types", threads_h + R"(
struct { long n; void *p; } any; int x; static void loud(int i) { x = i; }
static void set(void **to, void *p) { *to = p; }
void *worker(void *arg) { ((void (*)(long))any.p)(1); return 0; }
int main(void) { pthread_t t; set(&any.p, (void *)loud); for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); }
)",
                   "x");
}

TEST(Assumptions, PrivateUntilStored) {
  expect_hidden_by("private-until-stored",
                   workers("struct s { int x; } *g;", "struct s *p = malloc(sizeof *p); p->x = 1; g = p;"), "p->x");
}

TEST(Assumptions, LibraryReach) {
  expect_hidden_by("library-reach", workers("int x; void mystery(int *);", "mystery(&x);"), "x");
}

TEST(Assumptions, LoopsJoinAll) {
  expect_hidden_by("loops-join-all", threads_h + R"(
pthread_mutex_t m; int x; void *worker(void *arg) { take(&m); x = 1; give(&m); return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 4; i += 2) pthread_join(t[i], 0);
  int seen = x;
  return seen;
}
)",
                   "x");
}

TEST(Assumptions, InlineAssembly) {
  expect_hidden_by("inline-assembly", workers("int x;", "__asm__ volatile(\"\" : : \"r\"(&x) : \"memory\");"), "x");
}

const char* const semaphore_h =
    "typedef union { char size[32]; long align; } sem_t; int sem_init(sem_t *, int, unsigned); "
    "int sem_wait(sem_t *); int sem_trywait(sem_t *); int sem_post(sem_t *);\n";

TEST(Assumptions, SemaphoresLock) {
  const std::string before =
      semaphore_h + std::string("sem_t s; int x; void begin(unsigned n) { sem_init(&s, 0, 1); }");
  const std::string body = "begin(1); sem_wait(&s); x++; sem_post(&s);";
  expect_hidden_by("semaphores-lock", workers(before, body), "x");
  // posted too early; not waited for on one way; only tried
  EXPECT_GT(warnings_on(workers(before, "begin(1); sem_wait(&s); sem_post(&s); x++;"), "x", {}), 0U);
  EXPECT_GT(warnings_on(workers(before, "begin(1); if (arg) sem_wait(&s); x++; sem_post(&s);"), "x", {}), 0U);
  EXPECT_GT(warnings_on(workers(before, "begin(1); sem_trywait(&s); x++; sem_post(&s);"), "x", {}), 0U);
}

TEST(Assumptions, SemaphoresThatDoNotStartAtOneAreNoLocks) {
  for (const char* const init : {"sem_init(&s, 0, 0);", "sem_init(&s, 0, 2);", "sem_init(&s, 0, n);", "",
                                 "sem_init(&s, 0, 1); if (n) sem_init(&s, 0, 3);"}) {
    const std::string before = semaphore_h + std::string("sem_t s; int x; void begin(unsigned n) { ") + init + " }";
    EXPECT_GT(warnings_on(workers(before, "begin(1); sem_wait(&s); x++; sem_post(&s);"), "x", {}), 0U) << init;
  }
}

/// By one who never waits for it, while others do both.
TEST(Assumptions, SemaphoreThatIsPostedOnceMoreIsNoLock) {
  const std::string before = semaphore_h + std::string(
                                               "sem_t s; int x; void begin(void) { sem_init(&s, 0, 1); }"
                                               "void lock(void) { sem_wait(&s); } void unlock(void) { sem_post(&s); }"
                                               "void more(void) { sem_post(&s); }");
  EXPECT_EQ(warnings_on(workers(before, "begin(); lock(); x++; unlock();"), "x", {}), 0U);
  EXPECT_GT(warnings_on(workers(semaphore_h + std::string("sem_t s; int x; void begin(void) { sem_init(&s, 0, 1); }"
                                                          "void more(void) { sem_post(&s); }"),
                                "begin(); more(); sem_wait(&s); x++; sem_post(&s);"),
                        "x", {}),
            0U);
}

/// Each has its own start; which one a pointer means, the alias analysis says.
TEST(Assumptions, SemaphoresOfStructsLockToo) {
  const std::string before =
      semaphore_h +
      std::string(
          "struct box { sem_t mutex, full; int x; } *b; void lock(struct box *p) { sem_wait(&p->mutex); }\n"
          "void begin(void) { b = malloc(sizeof *b); sem_init(&b->mutex, 0, 1); sem_init(&b->full, 0, 0); }");
  EXPECT_EQ(warnings_on(workers(before, "lock(b); b->x++; sem_post(&b->mutex); return begin(), arg;"), "b->x", {}), 0U);
  EXPECT_GT(
      warnings_on(workers(before, "sem_wait(&b->full); b->x++; sem_post(&b->full); return begin(), arg;"), "b->x", {}),
      0U);
}

/// What a call stored in shared memory is not what lies there for ever: another thread fills the slot again.
TEST(Assumptions, StablePathsOfMemory) {
  expect_apart_by("stable-paths", "int x; int *slot = &x; pthread_mutex_t m;",
                  "take(&m); slot = 0; give(&m); take(&m); int *mine = slot; give(&m); if (mine) *mine = 1;",
                  "take(&m); slot = &x; give(&m); return (void *)(long)x;");
}

/// A handle in memory that another thread overwrites may be that of another thread.
TEST(Assumptions, StablePathsOfHandles) {
  const std::string text =
      threads_h +
      "pthread_t t; pthread_mutex_t m; int x;\n"
      "void *first(void *a) { x = 1; return 0; } void *second(void *a) { return 0; }\n"
      "void *starter(void *a) { take(&m); pthread_create(&t, 0, second, 0); give(&m); return 0; }\n"
      "int main(void) { pthread_t s; pthread_create(&t, 0, first, 0); pthread_create(&s, 0, starter, 0);\n"
      "  take(&m); pthread_t mine = t; give(&m); pthread_join(mine, 0); x = 2; }\n";
  expect_hidden_by("stable-paths", text, "x");
}

TEST(Assumptions, LocalEnds) {
  expect_hidden_by("local-ends",
                   threads_h +
                       "int *known; pthread_t t; void *worker(void *a) { return (void *)(long)*known; }\n"
                       "void begin(void) { int local; known = &local; pthread_create(&t, 0, worker, 0); }\n"
                       "int main(void) { begin(); }\n",
                   "local");
}

TEST(Assumptions, Closures) {
  expect_hidden_by(
      "closures",
      threads_h +
          "struct work { int *count; };\n"
          "void *entry(void *a) { struct work *w = a; (*w->count)++; return 0; }\n"
          "void copy(struct work *to, struct work *from) { *to = *from; }\n"
          "void begin(pthread_t *t, struct work *w) {\n"
          "  struct work *own = malloc(sizeof *own); copy(own, w); pthread_create(t, 0, entry, own); }\n"
          "int main(void) { int local = 1; struct work w = {&local}; pthread_t t; begin(&t, &w); local++; }\n",
      "local");
}

/// A lock for writing that is held already is refused, so the next call gives it back.
TEST(Assumptions, ReentrantLocks) {
  expect_hidden_by("reentrant-locks",
                   workers("pthread_rwlock_t l; int x;",
                           "pthread_rwlock_wrlock(&l); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); x++;"
                           "pthread_rwlock_unlock(&l);"),
                   "x");
}

/// Holds only with a profile that says so.
TEST(Assumptions, MarkedVolatile) {
  const Program program = frontend::read_text(workers("volatile int x;", "x++;"));
  auto models = api::ApiModels::shipped();
  ASSERT_TRUE(models.has_value());
  ScanOptions how;
  EXPECT_FALSE(scan(program, *models, how).report.races.empty());
  ASSERT_TRUE(models->add_profile("libevent").has_value());
  EXPECT_FALSE(scan(program, *models, how).report.races.empty());
  ASSERT_TRUE(models->add_profile("kernel").has_value());
  EXPECT_TRUE(scan(program, *models, how).report.races.empty());
  ASSERT_TRUE(how.assumptions.drop("marked-volatile"));
  EXPECT_FALSE(scan(program, *models, how).report.races.empty());
}

/// Without any switch: a mutex that is released by who does not hold it is listed, with how many threads do that.
TEST(Assumptions, OwnersUnlock) {
  const auto listed = [](const std::string& body) {
    const auto all = Scanned(workers("pthread_mutex_t m; int x;", body), 1, Assumptions::none()).report().assumptions;
    return std::ranges::find(all, "owner-unlocks (1 thread)") != all.end();
  };
  EXPECT_TRUE(listed("give(&m); x++;"));
  EXPECT_TRUE(listed("give(&m); x++; take(&m); x++; give(&m);"));
  EXPECT_TRUE(listed("if (arg) take(&m); x++; give(&m);"));
  EXPECT_FALSE(listed("take(&m); x++; give(&m);"));
  EXPECT_FALSE(listed("if (arg) { take(&m); x++; give(&m); }"));
  EXPECT_FALSE(listed("x++;"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
