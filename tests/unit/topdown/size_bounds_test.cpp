// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What large programs get: one answer per call and round, and memory that is forgotten at calls. Here small programs
// get it too. `check` asks as much of all other programs of these tests, as long as they are not to be proved.
#include "topdown/analysed_program.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

/// Calls enough for states that cover many to grow.
constexpr const char* busy =
    "int nothing; void idle(int n) { nothing = n; } void busy(void) { idle(1); idle(2); idle(3); }";

std::string coarsely(const std::string& text) {
  return AnalysedProgram(busy + text, "unit.c", {}, as_of_large_programs()).says();
}

class SizeBoundsOf : public testing::TestWithParam<ProgramCase> {};
TEST_P(SizeBoundsOf, SaysWithTheLowest) {
  const std::string said = coarsely(GetParam().text);
  EXPECT_NE(said.find(GetParam().says), std::string::npos) << said << '\n' << GetParam().text;
}

const ProgramCase races[] = {
    {"ACallThatComesLaterKnowsMore", "x",
     "THREAD(f) { x = 1; return 0; } void g(int *p) { *p = 1; } void h(int *p) { g(p); }"
     "int main(void) { busy(); START(f); h(&y); h(&z); h(&x); return 0; }"},
    {"TheCallerThatCameFirstIsAskedAgain", "x",
     "THREAD(f) { x = 1; return 0; } int *g(int *p) { return p; } int *h(int *p) { return g(p); }"
     "int main(void) { busy(); START(f); for (int i = 0; i < 3; i++) *h(i == 0 ? &y : i == 1 ? &z : &x) = 1;"
     "return 0; }"},
    {"AnAnswerThatGrowsFromRoundToRound", "x",
     "int step(int n) { return n + 1; } THREAD(f) { x = 1; return 0; }"
     "int main(void) { busy(); START(f); int n = 0; for (int i = 0; i < 9; i++) n = step(n); if (n > 3) x = 2;"
     "return 0; }"},
    {"ObjectsOfOneAllocationAreSeveral", "allocation",
     "struct box { pthread_mutex_t m; int v; }; struct box *first;"
     "THREAD(f) { pthread_mutex_lock(&first->m); ((struct box *)arg)->v = 1; pthread_mutex_unlock(&first->m);"
     "return 0; }"
     "struct box *make(void) { struct box *b = malloc(sizeof *b); pthread_mutex_init(&b->m, 0); b->v = 0; busy();"
     "return b; }"
     "int main(void) { struct box *b = 0; for (int i = 0; i < 2; i++) { b = make(); if (i == 0) first = b; busy(); }"
     "START_WITH(f, b); pthread_mutex_lock(&b->m); b->v = 2; pthread_mutex_unlock(&b->m); return 0; }"},
    {"TheFrameEndsBeforeTheThread", "local",
     "THREAD(f) { *(int *)arg = 1; return 0; } void g(void) { int local = 0; busy(); START_WITH(f, &local); busy(); }"
     "int main(void) { busy(); g(); return 0; }"},
    {"TheOnceObjectHasAnotherNameBehindItsBody", "allocation",
     "struct box { pthread_once_t once; int v; }; void body(void) { busy(); }"
     "THREAD(f) { struct box *b = arg; pthread_once(&b->once, body); b->v = 1; return 0; }"
     "int main(void) { busy(); struct box *b = calloc(1, sizeof *b); pthread_once(&b->once, body); START_WITH(f, b);"
     "b->v = 2; return 0; }"},
};
INSTANTIATE_TEST_SUITE_P(Races, SizeBoundsOf, testing::ValuesIn(races), name_of);

const ProgramCase proofs[] = {
    {"OneLockOfAGlobal", "proved",
     "void set(int v) { pthread_mutex_lock(&m); x = v; pthread_mutex_unlock(&m); }"
     "THREAD(f) { busy(); set(1); return 0; } int main(void) { busy(); START(f); set(2); set(3); return 0; }"},
    {"BeforeTheThread", "proved",
     "void set(int *p, int v) { *p = v; } THREAD(f) { set(&x, 1); return 0; }"
     "int main(void) { busy(); set(&x, 2); set(&y, 3); START(f); busy(); return 0; }"},
};
INSTANTIATE_TEST_SUITE_P(Proofs, SizeBoundsOf, testing::ValuesIn(proofs), name_of);

/// Each level calls the next one twice, from a few states of its loop.
std::string tree_of_calls(int levels) {
  std::string out = "THREAD(f) { x = 1; return 0; } int t0(int n) { return n; }";
  for (int level = 1; level <= levels; ++level) {
    const std::string below = "t" + std::to_string(level - 1);
    out += "int t" + std::to_string(level) + "(int n) { int sum = 0; for (int i = 0; i < 9; i++) sum += " + below +
           "(n + i); return sum + " + below + "(sum); }";
  }
  return out + "int main(void) { START(f); y = t" + std::to_string(levels) + "(ANY); return 0; }";
}

TEST(SizeBounds, ATreeOfCallsEnds) {
  TopDownOptions limits = as_of_large_programs();
  limits.step_budget = 8'000;
  const AnalysedProgram coarse(tree_of_calls(4), "unit.c", {}, limits);
  EXPECT_FALSE(coarse.result().gave_up);
  EXPECT_EQ(coarse.says(), "proved");
  // The exact analysis uses up half of the budget, and the coarse one has what is left for it.
  limits.bounds = {};
  EXPECT_EQ(AnalysedProgram(tree_of_calls(4), "unit.c", {}, limits).says(), "proved");
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
