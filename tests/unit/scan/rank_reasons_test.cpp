// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Doubts: each where it belongs, and not where the program differs by the one thing that matters.
#include <gtest/gtest.h>

#include "base/contains.h"
#include "scan/pairs/rank_reasons.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

/// Whether the first warning about a pair of functions names the doubt; there has to be one.
bool doubts(const Scanned& s, Doubt doubt, const std::string& first, const std::string& second) {
  for (const ReportRace& race : s.report().races)
    if (race.accesses[0].function == first && race.accesses[1].function == second)
      return contains(race.reasons, reason_of(doubt));
  ADD_FAILURE() << "no warning of " << first << " and " << second;
  return false;
}

Scanned starters(const std::string& before, const std::string& behind) {
  return Scanned(threads_h + R"(
pthread_mutex_t m; int total;
void *helper(void *arg) { take(&m); total++; give(&m); return 0; }
void *primary(void *arg) { pthread_t t; )" +
                 before + " pthread_create(&t, 0, helper, 0); " + behind + R"( return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, primary, 0); return 0; }
)");
}

TEST(ScanDoubts, ThreadThatIsStillToStartOthers) {
  EXPECT_TRUE(doubts(starters("total = 0;", ""), Doubt::BeforeItsThreads, "primary", "helper"));
  EXPECT_FALSE(doubts(starters("", "total = 0;"), Doubt::BeforeItsThreads, "primary", "helper"));
}

Scanned deaths(const std::string& job, const std::string& text = "") {
  return Scanned(threads_h + R"(
void abort(void) __attribute__((noreturn)); void pthread_exit(void *) __attribute__((noreturn)); int printf(const char *, ...);
pthread_mutex_t m; int total;
static void report(void) { total++; }
static void give_up(void) { pthread_exit(0); }
)" + text + R"(
void *worker(void *arg) { take(&m); total++; give(&m); if (arg) { )" +
                 job + R"( } take(&m); total++; give(&m); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, &t); return 0; }
)");
}

TEST(ScanDoubts, ProgramThatIsAboutToEnd) {
  EXPECT_TRUE(doubts(deaths("report(); abort();"), Doubt::DyingProgram, "report", "worker"));
  EXPECT_TRUE(doubts(deaths("report(); __builtin_unreachable();"), Doubt::DyingProgram, "report", "worker"));
  EXPECT_TRUE(doubts(deaths("die();", "__attribute__((noreturn)) static void die(void) { report(); abort(); }"),
                     Doubt::DyingProgram, "report", "worker"));
}

TEST(ScanDoubts, ProgramThatGoesOn) {
  EXPECT_FALSE(doubts(deaths("report();"), Doubt::DyingProgram, "report", "worker"));
  EXPECT_FALSE(doubts(deaths("report(); if (printf(\"\")) abort();"), Doubt::DyingProgram, "report", "worker"));
  EXPECT_FALSE(
      doubts(deaths("for (;;) { report(); if (printf(\"\")) abort(); }"), Doubt::DyingProgram, "report", "worker"))
      << "a loop may run for as long as it likes";
  EXPECT_FALSE(doubts(deaths("report(); pthread_exit(0);"), Doubt::DyingProgram, "report", "worker"))
      << "only the thread ends";
  EXPECT_FALSE(
      doubts(deaths("report(); give_up(); __builtin_unreachable();"), Doubt::DyingProgram, "report", "worker"));
  EXPECT_FALSE(doubts(deaths("report(); abort();",
                             "void *other(void *a) { report(); return a; }\n"
                             "static pthread_t o;\n__attribute__((constructor)) static void begin(void) { "
                             "pthread_create(&o, 0, other, 0); }"),
                      Doubt::DyingProgram, "report", "worker"))
      << "there is another way to it";
}

/// A boss that runs twice, one after the other, has a helper each time.
Scanned bosses(const std::string& behind, const std::string& helper = "") {
  return Scanned(threads_h + R"(
void pthread_exit(void *) __attribute__((noreturn)); int pthread_detach(pthread_t); int printf(const char *, ...);
pthread_mutex_t m; int total, own;
void *helper(void *arg) { own++; take(&m); total++; give(&m); )" +
                 helper + R"( return 0; }
void *boss(void *arg) { pthread_t t; total = 0; pthread_create(&t, 0, helper, 0); )" +
                 behind + R"( return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) { pthread_create(&t, 0, boss, 0); pthread_join(t, 0); } }
)");
}

TEST(ScanDoubts, ThreadThatIsEndedByACallBeforeItHasWaited) {
  const std::string exits = "if (printf(\"\")) pthread_exit(0); pthread_join(t, 0);";
  EXPECT_TRUE(doubts(bosses(exits), Doubt::EndedByCall, "boss", "helper"));
  EXPECT_TRUE(doubts(bosses(exits), Doubt::EndedByCall, "helper", "helper"));
  EXPECT_FALSE(doubts(bosses(exits + " pthread_create(&t, 0, helper, 0);"), Doubt::EndedByCall, "boss", "helper"))
      << "nobody waits for the second helper";
  EXPECT_FALSE(doubts(bosses("pthread_detach(t);", "if (printf(\"\")) pthread_exit(0);"), Doubt::EndedByCall, "helper",
                      "helper"));
}

Scanned owners(const std::string& release, const std::string& text = "") {
  return Scanned(threads_h + R"(
struct obj { int refs, x; } *shared; pthread_mutex_t m; void use(struct obj *o) { take(&m); o->x++; give(&m); }
static void drop(struct obj *o) { o->x = 0; }
)" + text + R"(
void *worker(void *arg) { struct obj *o = arg; use(o); )" +
                 release + R"( return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, shared); return 0; }
)");
}

TEST(ScanDoubts, LastOwner) {
  const auto is_last = [](const std::string& release, const std::string& text = "") {
    return doubts(owners(release, text), Doubt::LastOwner, "drop", "use");
  };
  EXPECT_TRUE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) == 1) drop(o);"));
  EXPECT_TRUE(is_last("if (__atomic_sub_fetch(&o->refs, 1, 5) == 0) drop(o);"));
  EXPECT_TRUE(is_last("if (!__atomic_add_fetch(&o->refs, -1, 5)) drop(o);"));
  EXPECT_TRUE(is_last("if (__atomic_sub_fetch(&o->refs, 1, 5)) return 0; drop(o);"));
  EXPECT_TRUE(is_last("if (put(o)) drop(o);",
                      "static int put(struct obj *o) { return __atomic_fetch_sub(&o->refs, 1, 5) == 1; }"));
  EXPECT_TRUE(is_last("if (put(&o->refs, n) == 1) drop(o);",
                      "int n; static int put(int *r, int one) { int old; if (one) old = (*r)--; else old = "
                      "__atomic_fetch_sub(r, 1, 5); return old; }"));
  EXPECT_TRUE(is_last("if (__atomic_load_n(&o->refs, 2) == 1) drop(o); else __atomic_fetch_sub(&o->refs, 1, 5);"))
      << "it asks first, as libstdc++ does";
}

TEST(ScanDoubts, NotTheLastOwner) {
  const auto is_last = [](const std::string& release, const std::string& text = "") {
    return doubts(owners(release, text), Doubt::LastOwner, "drop", "use");
  };
  EXPECT_FALSE(is_last("drop(o); __atomic_fetch_sub(&o->refs, 1, 5);"));
  EXPECT_FALSE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) != 1) drop(o);")) << "the others";
  EXPECT_FALSE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) == 1) use(o); drop(o);"));
  EXPECT_FALSE(is_last("if (__atomic_load_n(&o->refs, 2) == 1) drop(o);")) << "a flag is no count of owners";
  EXPECT_FALSE(is_last("if (__atomic_exchange_n(&o->refs, 1, 5) == 1) drop(o);"));
  EXPECT_FALSE(is_last("if (o->refs-- == 1) drop(o);")) << "not atomic";
  const std::string other = "int other;";
  EXPECT_FALSE(is_last("if (__atomic_load_n(&other, 2) == 1) drop(o); __atomic_fetch_sub(&o->refs, 1, 5);", other))
      << "that counts something else";
  EXPECT_FALSE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) == other) drop(o);", other)) << "any of them";
  EXPECT_FALSE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) - other == 1) drop(o);", other));
  EXPECT_FALSE(is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) > 3) return 0; drop(o);")) << "one of the last three";
  EXPECT_FALSE(
      is_last("if (__atomic_fetch_sub(&o->refs, 1, 5) == 1) drop(o);",
              "void *other(void *a) { drop(a); return 0; } static pthread_t p;\n"
              "__attribute__((constructor)) static void begin(void) { pthread_create(&p, 0, other, shared); }"))
      << "there is another way to it";
}

/// A table of that many commands; the first of them touches `total`.
Scanned table_of(int commands, const std::string& thread, const std::string& main) {
  std::string text = threads_h + "int total, rand(void);\n";
  std::string table;
  for (int i = 0; i < commands; ++i) {
    const std::string name = "command" + std::to_string(i);
    text += "void " + name + "(void) { " + (i == 0 ? "total++;" : "") + " }\n";
    table += (i == 0 ? "" : ", ") + name;
  }
  return Scanned(
      text + "void (*const table[])(void) = {" + table +
      "};\nvoid call(void) { table[rand()](); }\nvoid *worker(void *a) { " + thread +
      " return 0; }\nint main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, "
      "0); " +
      main + " return 0; }\n");
}

TEST(ScanDoubts, WaysThroughATableOfManyFunctions) {
  const auto is_doubted = [](const Scanned& s) { return doubts(s, Doubt::WideWays, "command0", "command0"); };
  EXPECT_TRUE(is_doubted(table_of(40, "call();", "call();")));
  EXPECT_FALSE(is_doubted(table_of(4, "call();", "call();"))) << "few functions";
  EXPECT_FALSE(is_doubted(table_of(40, "call();", ""))) << "whose commands are they, if not the thread's";
  EXPECT_FALSE(is_doubted(table_of(40, "call(); command0();", "call();"))) << "there is another way to it";
}

TEST(ScanDoubts, LocksOfOneMemberOfOneStruct) {
  const auto is_doubted = [](const std::string& body) {
    const Scanned s(threads_h + R"(
struct dev { pthread_mutex_t lock; int x; } *devices[3]; int total;
static void bump(void) { total++; }
static void pause(struct dev *d) { give(&d->lock); bump(); take(&d->lock); }
void *worker(void *arg) { struct dev *d = arg; take(&d->lock); )" +
                    body + R"( give(&d->lock); return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, devices[i]); return 0; }
)");
    return doubts(s, Doubt::SameKindOfLock, "bump", "bump");
  };
  EXPECT_TRUE(is_doubted("bump();"));
  EXPECT_FALSE(is_doubted("pause(d);")) << "given back in between";
}

TEST(ScanDoubts, WhatHappensInASingleThread) {
  const auto warnings = [](const std::string& flag) {
    return Scanned(threads_h + "extern char " + flag + "; int count;\nvoid *worker(void *a) { if (" + flag +
                   ") count++; else __atomic_add_fetch(&count, 1, 5); return 0; }\n"
                   "int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); }\n")
        .warnings()
        .size();
  };
  EXPECT_EQ(warnings("__libc_single_threaded"), 0U);
  EXPECT_GT(warnings("some_other_flag"), 0U);
}

/// Two threads that wait at a barrier, on `cells`.
bool are_phases(const std::string& worker, const std::string& more = "") {
  const Scanned all(threads_h + R"(
typedef struct { long word[4]; } pthread_barrier_t; int pthread_barrier_wait(pthread_barrier_t *); pthread_barrier_t b;
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned); int cells[2], sum; int rand(void);
#define meet pthread_barrier_wait(&b)
)" + more + "void *worker(void *arg) { long me = (long)arg; " +
                    worker + R"( return 0; }
int main(void) { pthread_t t; pthread_barrier_init(&b, 0, 2);
  for (long i = 0; i < 2; i++) pthread_create(&t, 0, worker, (void *)i); return 0; }
)");
  for (const ReportRace& race : all.report().races)
    if (race.accesses[0].kind != race.accesses[1].kind) return contains(race.reasons, reason_of(Doubt::BarrierBetween));
  ADD_FAILURE() << "no warning";
  return false;
}

TEST(ScanDoubts, PhasesBetweenBarriers) {
  EXPECT_TRUE(are_phases("cells[me] = 1; meet; sum = cells[1 - me];"));
  EXPECT_TRUE(are_phases("for (int i = 0; i < 9; i++) { cells[me] = 1; meet; sum = cells[1 - me]; meet; }"));
  EXPECT_FALSE(are_phases("cells[me] = 1; sum = cells[1 - me]; meet;"));
  EXPECT_FALSE(are_phases("cells[me] = 1; if (rand()) meet; sum = cells[1 - me];"));
  EXPECT_FALSE(are_phases("for (int i = 0; i < 9; i++) { cells[me] = 1; meet; sum = cells[1 - me]; }"));
  EXPECT_FALSE(
      are_phases("step(me); step(me);", "static void step(long me) { cells[me] = 1; meet; sum = cells[1 - me]; }"))
      << "the next step begins at once";
}

/// Workers take a job, by `take_one`, and write it without a lock.
Scanned pools(const std::string& take_one) {
  return Scanned(threads_h + R"(
struct job { int n; struct job *next; }; pthread_mutex_t m; struct job *todo, *cursor;
struct { struct job **slot; int count, turn; } q;
static struct job *get(void) { struct job *j = 0; )" +
                 take_one + R"( return j; }
void *worker(void *arg) { struct job *j = get(); if (j) j->n++; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, worker, 0); return 0; }
)");
}

TEST(ScanDoubts, ObjectsThatWereTakenOff) {
  EXPECT_TRUE(
      doubts(pools("take(&m); j = todo; if (j) todo = j->next; give(&m);"), Doubt::TakenOff, "worker", "worker"));
  EXPECT_TRUE(
      doubts(pools("take(&m); if (q.count) j = q.slot[--q.count]; give(&m);"), Doubt::TakenOff, "worker", "worker"));
}

TEST(ScanDoubts, ObjectsThatAreStillThere) {
  EXPECT_FALSE(doubts(pools("take(&m); j = todo; give(&m);"), Doubt::TakenOff, "worker", "worker"));
  EXPECT_FALSE(doubts(pools("j = todo; if (j) todo = j->next;"), Doubt::TakenOff, "worker", "worker"))
      << "without a lock two may take the same";
  EXPECT_FALSE(doubts(pools("take(&m); j = q.slot[q.turn]; q.turn = (q.turn + 1) & 3; give(&m);"), Doubt::TakenOff,
                      "worker", "worker"))
      << "in turn: it comes round again";
}

Scanned slots(const std::string& argument) {
  return Scanned(threads_h + R"(
int slot[8]; void *worker(void *arg) { slot[(long)arg]++; return 0; }
int main(void) { pthread_t t; for (long i = 0; i < 3; i++) pthread_create(&t, 0, worker, (void *)()" +
                 argument + R"()); return 0; }
)");
}

TEST(ScanDoubts, ElementByTheNumberThatAThreadIsGiven) {
  EXPECT_TRUE(doubts(slots("i"), Doubt::OwnArgument, "worker", "worker"));
  EXPECT_TRUE(doubts(slots("i + 2"), Doubt::OwnArgument, "worker", "worker"));
  EXPECT_FALSE(doubts(slots("3"), Doubt::OwnArgument, "worker", "worker")) << "all are given the same";
  EXPECT_FALSE(doubts(slots("i > 1 ? 1 : i"), Doubt::OwnArgument, "worker", "worker")) << "two are";
  EXPECT_FALSE(doubts(slots("i / 2"), Doubt::OwnArgument, "worker", "worker")) << "likewise";
}

Scanned pool(const std::string& make, const std::string& start) {
  return Scanned(threads_h + R"(
void *malloc(unsigned long); struct pool { int n; }; pthread_t t;
void *worker(void *arg) { ((struct pool *)arg)->n++; return 0; }
static struct pool *make(void) { struct pool *p = malloc(sizeof *p); )" +
                 make + R"( return p; }
int main(void) { struct pool *p = make(); )" +
                 start + R"( p->n++; return 0; }
)");
}

TEST(ScanDoubts, MemoryThatACalleeGaveAwayIsNobodysOwn) {
  const std::string start = "pthread_create(&t, 0, worker, p);";
  EXPECT_FALSE(doubts(pool(start, ""), Doubt::ThreadLocalAllocation, "main", "worker"));
  EXPECT_TRUE(doubts(pool("", start), Doubt::ThreadLocalAllocation, "main", "worker")) << "main knows when it did";
}

Scanned streams(const std::string& next) {
  return Scanned(threads_h + R"(
struct stream { int sent; struct stream *next, *other; } *all;
void *worker(void *arg) { ((struct stream *)arg)->sent++; return 0; }
int main(void) { pthread_t t; for (struct stream *s = all; s; s = )" +
                 next + R"() pthread_create(&t, 0, worker, s); return 0; }
)");
}

TEST(ScanDoubts, ElementOfAListThatAThreadIsGiven) {
  EXPECT_TRUE(doubts(streams("s->next"), Doubt::OwnArgument, "worker", "worker"));
  EXPECT_FALSE(doubts(streams("all->next"), Doubt::OwnArgument, "worker", "worker")) << "always the second";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
