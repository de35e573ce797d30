// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Races within bounds. Rows come in pairs: of the program with a race a witness is found and replays, of the one
// without none is found, and nothing that could not be run: that would be an encoding that allows too much.
#include "judge/bmc/bounded.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "explore/c_prelude.h"
#include "explore/interpreted/interpreted_program.h"
#include "frontend/scratch_source.h"
#include "judge/bmc/block_order.h"
#include "pipeline/load.h"

namespace heddle::judge::bmc {
namespace HEDDLE_TEST_FILE {

Program program_of(const std::string& text) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources.push_back({folder.write("case.c", explore::prelude + text), {}});
  Result<Program> program = pipeline::load(input);
  if (!program) throw std::runtime_error(program.error().message);
  return std::move(*program);
}

BoundedResult bounded(const std::string& text, const BoundedOptions& options = {}) {
  const Program program = program_of(text);
  const Result<api::ApiModels> models = api::ApiModels::shipped();
  const explore::InterpretedProgram subject(program, *models);
  return find_race_within_bounds(program, *models, program.find_function("main"), subject, options);
}

struct Pair {
  std::string name;
  std::string declarations;
  std::string racy_first, safe_first;  ///< what the first thread does
  std::string second;                  ///< what the second one does
  std::string setup = {};              ///< main, before it starts both
};

std::string program_text(const Pair& pair, const std::string& first) {
  return pair.declarations + "\nvoid *t1(void *p) { " + first + " return 0; }\nvoid *t2(void *p) { " + pair.second +
         " return 0; }\nint main(void) { pthread_t h1, h2; " + pair.setup +
         " pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); pthread_join(h1, 0); pthread_join(h2, 0); "
         "x++; return 0; }\n";
}

std::vector<Pair> pairs() {
  return {
      {"no lock", "", "x = 1;", "y = 1;", "x = 2;"},
      {"mutex", "", "LOCK(n); x = 1; UNLOCK(n);", "LOCK(m); x = 1; UNLOCK(m);", "LOCK(m); x++; UNLOCK(m);"},
      {"try-lock", "", "pthread_mutex_trylock(&m); x = 1;", "if (pthread_mutex_trylock(&m) == 0) { x = 1; UNLOCK(m); }",
       "LOCK(m); x++; UNLOCK(m);"},
      {"readers", "", "pthread_rwlock_rdlock(&w); x = 1; pthread_rwlock_unlock(&w);",
       "pthread_rwlock_wrlock(&w); x = 1; pthread_rwlock_unlock(&w);",
       "pthread_rwlock_rdlock(&w); y = x; pthread_rwlock_unlock(&w);"},
      {"handover", "", "a = 1; x = 1;", "x = 1; a = 1;", "if (a == 1) x = 2;"},
      {"exchange", "", "__c11_atomic_exchange(&a, 1, 5); x = 1;",
       "if (__c11_atomic_exchange(&a, 1, 5) == 0) { x = 1; a = 0; }",
       "int no = 0; if (__c11_atomic_compare_exchange_strong(&a, &no, 1, 5, 5)) { x = 2; a = 0; }"},
      {"semaphore", "", "sem_wait(&s); x = 1; sem_post(&s);", "sem_wait(&s); sem_wait(&s); x = 1;",
       "sem_wait(&s); x = 2; sem_post(&s);", "sem_init(&s, 0, 2);"},
      {"barrier", "", "x = 1; pthread_barrier_wait(&r); y = 1;", "x = 1; pthread_barrier_wait(&r);",
       "pthread_barrier_wait(&r); x = 2; y = 2;", "pthread_barrier_init(&r, 0, 2);"},
      {"condition", "", "LOCK(m); i = 1; pthread_cond_signal(&c); UNLOCK(m); x = 1;",
       "x = 1; LOCK(m); i = 1; pthread_cond_signal(&c); UNLOCK(m);",
       "LOCK(m); while (i == 0) pthread_cond_wait(&c, &m); UNLOCK(m); x = 2;"},
      {"condition with a time", "", "LOCK(m); i = 1; pthread_cond_signal(&c); UNLOCK(m); x = 1;",
       "x = 1; LOCK(m); i = 1; pthread_cond_signal(&c); UNLOCK(m);",
       "long until[2] = {0, 0}; LOCK(m); if (i == 0) pthread_cond_timedwait(&c, &m, until); int k = i; UNLOCK(m); "
       "if (k) x = 2;"},
      {"section", "", "x = 1;", "ATOMIC(x = 1);", "ATOMIC(x++; x--);"},
      {"sections that only write", "", "x = 1;", "ATOMIC(x = 1);", "ATOMIC(x = 2);"},
      {"section and its values", "", "ATOMIC(y = 1); ATOMIC(z = 1);", "ATOMIC(y = 1; z = 1);",
       "int one, two; ATOMIC(two = z; one = y); if (one != two) v = 1;", ""},
      {"elements", "int cells[8];", "cells[(__VERIFIER_nondet_int() & 3) + 3] = 1;",
       "cells[__VERIFIER_nondet_int() & 3] = 1;", "cells[4 + (__VERIFIER_nondet_int() & 3)] = 2;"},
      {"pointers that are read", "int *where;", "LOCK(m); where = &x; UNLOCK(m); x = 1;",
       "LOCK(m); where = &y; UNLOCK(m); x = 1;", "LOCK(m); int *to = where; UNLOCK(m); if (to) *to = 2;"},
      {"memory from the heap", "int *where;", "int *mine = malloc(4); LOCK(m); where = mine; UNLOCK(m); *mine = 1;",
       "int *mine = malloc(4); *mine = 1; LOCK(m); where = mine; UNLOCK(m);",
       "LOCK(m); int *to = where; UNLOCK(m); if (to) *to = 2;"},
      {"freed memory", "int *where;", "free(where);", "LOCK(m); free(where); where = 0; UNLOCK(m);",
       "LOCK(m); if (where) *where = 1; UNLOCK(m);", "where = malloc(4);"},
      {"functions behind pointers", "void f(void) { x = 1; } void g(void) { LOCK(m); x = 1; UNLOCK(m); }",
       "void (*go)(void) = __VERIFIER_nondet_int() ? f : g; go();", "void (*go)(void) = g; go();",
       "LOCK(m); x = 2; UNLOCK(m);"},
      {"calls of itself", "int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }",
       "if (sum(__VERIFIER_nondet_int()) == 6) x = 1;", "if (sum(__VERIFIER_nondet_int()) == 5) x = 1;", "x = 2;"},
      {"assumptions", "", "int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k > 5); if (k == 6) x = 1;",
       "int k = __VERIFIER_nondet_int(); __VERIFIER_assume(k > 5); if (k == 5) x = 1;", "x = 2;"},
      {"end of a thread", "", "if (__VERIFIER_nondet_int()) pthread_exit(0); x = 1;", "pthread_exit(0); x = 1;",
       "x = 2;"},
      {"mixed widths", "union { int whole; char part[4]; } u;", "u.part[2] = 1; LOCK(m); y = 1; UNLOCK(m);",
       "LOCK(m); u.part[2] = 1; UNLOCK(m);", "LOCK(m); u.whole = 5; UNLOCK(m);"},
      {"mixed widths have values", "union { int whole; char part[4]; } u;",
       "LOCK(m); u.part[1] = 7; u.part[0] = 1; UNLOCK(m);", "LOCK(m); u.part[1] = 7; u.part[0] = 2; UNLOCK(m);",
       "LOCK(m); int k = u.whole; UNLOCK(m); if (k == 0x701) v = 1;", ""},
      {"copies", "struct { int a, b; } one, two;", "one = two;", "LOCK(m); one = two; UNLOCK(m);",
       "LOCK(m); one = two; UNLOCK(m);"},
      {"signed division", "", "int k = __VERIFIER_nondet_int(); if (k / 7 == -3 && k % 7 == -5) x = 1;",
       "int k = __VERIFIER_nondet_int(); if (k / 7 == -3 && k % 7 == 5) x = 1;", "x = 2;"},
  };
}

/// Rows whose race is on `v`: main and the second thread.
bool is_about_values(const Pair& pair) { return pair.second.find("v = 1") != std::string::npos; }

std::string row_text(const Pair& pair, const std::string& first) {
  std::string text = program_text(pair, first);
  if (is_about_values(pair)) text.replace(text.find("pthread_join(h1"), 0, "v = 2; ");
  return text;
}

TEST(Bounded, FindsRacesThatReplay) {
  for (const Pair& pair : pairs()) {
    const BoundedResult found = bounded(row_text(pair, pair.racy_first));
    EXPECT_TRUE(found.race) << pair.name << ": " << found.why;
    EXPECT_EQ(found.unconfirmed, 0U) << pair.name;
  }
}

TEST(Bounded, FindsNothingWhereThereIsNoRace) {
  for (const Pair& pair : pairs()) {
    const BoundedResult found = bounded(row_text(pair, pair.safe_first), {.most_rounds = 4});
    EXPECT_FALSE(found.race) << pair.name;
    EXPECT_EQ(found.unconfirmed, 0U) << pair.name << ": " << found.why;
    EXPECT_GT(found.rounds, 0U) << pair.name << ": " << found.why;
  }
}

std::string two_wait(const std::string& wakes) {
  return "int one, two;\n"
         "void *t1(void *p) { LOCK(m); one = 1; pthread_cond_wait(&c, &m); UNLOCK(m); x = 1; return 0; }\n"
         "void *t2(void *p) { LOCK(m); two = 1; pthread_cond_wait(&c, &m); UNLOCK(m); x = 2; return 0; }\n"
         "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); "
         "LOCK(m); int both = one && two; if (both) { " +
         wakes + " } UNLOCK(m); return 0; }\n";
}

TEST(Bounded, ASignalWakesOne) {
  EXPECT_TRUE(bounded(two_wait("pthread_cond_broadcast(&c);")).race);
  EXPECT_TRUE(bounded(two_wait("pthread_cond_signal(&c); pthread_cond_signal(&c);")).race);
  const BoundedResult found = bounded(two_wait("pthread_cond_signal(&c);"));
  EXPECT_FALSE(found.race);
  EXPECT_EQ(found.unconfirmed, 0U) << found.why;
}

/// Both wait, and the witness is about the second one.
TEST(Bounded, ASignalWakesTheOneThatTheWitnessMeans) {
  const std::string text =
      "int one, two;\n"
      "void *t1(void *p) { LOCK(m); one = 1; pthread_cond_wait(&c, &m); UNLOCK(m); return 0; }\n"
      "void *t2(void *p) { LOCK(m); two = 1; pthread_cond_wait(&c, &m); UNLOCK(m); x = 2; return 0; }\n"
      "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); "
      "LOCK(m); int both = one && two; pthread_cond_signal(&c); UNLOCK(m); if (both) x = 3; return 0; }\n";
  const BoundedResult found = bounded(text);
  EXPECT_TRUE(found.race) << found.why;
  EXPECT_EQ(found.unconfirmed, 0U) << found.why;
}

TEST(Bounded, ALockThatMainHoldsWhenItStartsSomebodyIsTaken) {
  const auto text = [](const char* when) {
    return std::string("void *t1(void *p) { LOCK(m); x = 1; UNLOCK(m); return 0; }\n") +
           "int main(void) { pthread_t h; LOCK(m); pthread_create(&h, 0, t1, 0); " + when + " return 0; }\n";
  };
  EXPECT_TRUE(bounded(text("UNLOCK(m); x = 2;")).race);
  EXPECT_FALSE(bounded(text("x = 2; UNLOCK(m);")).race);
}

/// A wait that nobody else can see gives its lock back.
TEST(Bounded, AWaitOfOneThreadGivesItsLockBack) {
  const BoundedResult found = bounded(
      "void *t1(void *p) { long until[2] = {0, 0}; LOCK(m); y = 1; pthread_cond_timedwait(&c, &m, until); x = 1; "
      "UNLOCK(m); return 0; }\n"
      "void *t2(void *p) { if (pthread_mutex_trylock(&m) == 0) { int k = y; UNLOCK(m); if (k == 1) x = 2; } return 0; "
      "}\n"
      "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); return 0; }\n");
  EXPECT_TRUE(found.race) << found.why;
  EXPECT_EQ(found.unconfirmed, 0U) << found.why;
}

/// Whoever heard it goes on, although the one who told waits at an assumption for ever.
TEST(Bounded, AFalseAssumptionEndsNothing) {
  const BoundedResult found = bounded(
      "void *t1(void *p) { ATOMIC(y = 1); __VERIFIER_assume(0); return 0; }\n"
      "void *t2(void *p) { int heard; ATOMIC(heard = y); if (heard) x = 1; return 0; }\n"
      "int main(void) { pthread_t h1, h2; pthread_create(&h1, 0, t1, 0); pthread_create(&h2, 0, t2, 0); x = 2; "
      "return 0; }\n");
  EXPECT_TRUE(found.race) << found.why;
  EXPECT_EQ(found.unconfirmed, 0U) << found.why;
}

const std::string needs_rounds =
    "void *t1(void *p) { int n = __VERIFIER_nondet_int(), k = 0; while (n > 0) { n = n >> 1; k++; } if (k == 5) x = 1;"
    " return 0; }\n"
    "int main(void) { pthread_t h; pthread_create(&h, 0, t1, 0); x = 2; return 0; }\n";

TEST(Bounded, GoesMoreRoundsUntilThereIsARace) {
  EXPECT_FALSE(bounded(needs_rounds, {.most_rounds = 2}).race);
  EXPECT_EQ(bounded(needs_rounds, {.most_rounds = 2}).rounds, 2U);
  EXPECT_TRUE(bounded(needs_rounds, {.most_rounds = 8}).race);
}

/// The loop's end is known: it goes its rounds whatever the bound is.
TEST(Bounded, CountsNoRoundsOfLoopsThatEndAnyway) {
  const BoundedResult found = bounded(
      "void *t1(void *p) { int k = 0; for (int j = 0; j < 40; j++) { LOCK(m); if (y == j) k++; UNLOCK(m); }"
      " if (k == 1) x = 1; return 0; }\n"
      "int main(void) { pthread_t h; y = __VERIFIER_nondet_int(); pthread_create(&h, 0, t1, 0); LOCK(m); y++; "
      "UNLOCK(m);"
      " x = 2; return 0; }\n",
      {.most_rounds = 1});
  EXPECT_TRUE(found.race) << found.why;
}

TEST(Bounded, SaysWhatItDoesNotTreat) {
  const BoundedResult found = bounded(
      "void *t1(void *p) { double d = __VERIFIER_nondet_int(); if (d * 0.5 > 3.0) x = 1; return 0; }\n"
      "int main(void) { pthread_t h; pthread_create(&h, 0, t1, 0); x = 2; return 0; }\n");
  EXPECT_FALSE(found.race);
  EXPECT_NE(found.why.find("floating point"), std::string::npos) << found.why;
}

TEST(Bounded, IsTheSameTwice) {
  const BoundedResult one = bounded(needs_rounds), two = bounded(needs_rounds);
  ASSERT_TRUE(one.race && two.race);
  EXPECT_EQ(one.race->schedule, two.race->schedule);
}

TEST(BlockOrder, PutsWhatIsBehindALoopBehindAllOfItsRounds) {
  const Program program = program_of(
      "int f(int n) { int k = 0; for (int j = 0; j < n; j++) { for (int l = 0; l < j; l++) k += l; k++; } return k; }");
  const Function& function = program.functions[program.find_function("f")];
  const std::vector<BlockPlace> places = block_order(function);
  std::size_t deepest = 0;
  for (std::uint32_t b = 0; b < function.blocks.size(); ++b) {
    const BlockPlace& from = places[b];
    ASSERT_TRUE(from.is_reachable);
    EXPECT_EQ(from.path.size(), from.heads.size() + 1);
    deepest = std::max(deepest, from.heads.size());
    for (const BlockId next : function.successors(BlockId(b))) {
      const BlockPlace& to = places[next.index()];
      const bool goes_round = std::ranges::find(from.heads, next) != from.heads.end();
      EXPECT_TRUE(goes_round || from.path < to.path) << b << " to " << next.index();
    }
  }
  EXPECT_EQ(deepest, 2U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge::bmc
