// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/cases/racing_pairs.h"

#include <gtest/gtest.h>

#include <set>

#include "race/docket.h"
#include "topdown/analysed_program.h"
#include "topdown/cases/find_cases.h"
#include "topdown/cases/pairs.h"
#include "topdown/cases/separate.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

/// Two threads that run each of `count` functions; `body` is what a function does.
AnalysedProgram many_functions(int count, const std::string& body) {
  std::string text, calls;
  for (int i = 0; i < count; ++i) {
    const std::string name = "f" + std::to_string(i);
    text += "static void " + name + "(void) { " + body + " }\n";
    calls += name + "();";
  }
  return AnalysedProgram(text + "THREAD(work) { " + calls +
                         " return 0; } int main(void) { START(work); START(work); return 0; }");
}

/// Every pair of accesses one by one, as separate() has it.
std::set<std::pair<std::uint32_t, std::uint32_t>> all_racing(const TopDownResult& result) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> out;
  for_each_pair(result, [&](std::uint32_t a, std::uint32_t b) {
    if (!separate(result, result.accesses[a], result.accesses[b])) out.emplace(a, b);
  });
  return out;
}

std::size_t locations(const TopDownResult& result) {
  std::set<std::tuple<FunctionId, std::uint32_t, AccessKind, FunctionId, std::uint32_t, AccessKind>> out;
  for (const auto& [a, b] : all_racing(result)) {
    const race::Warning w = warning_of(result, a, b);
    out.emplace(w.first.function, w.first.instruction, w.first.kind, w.second.function, w.second.instruction,
                w.second.kind);
  }
  return out.size();
}

TEST(RacingPairs, AreThoseOfEveryPairOfAccesses) {
  const AnalysedProgram p = many_functions(4, "x++; pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m);");
  const RacingPairs pairs = find_racing_pairs(p.result());
  EXPECT_EQ(pairs.listed.size(), locations(p.result()));
  EXPECT_TRUE(pairs.is_complete());
  const auto all = all_racing(p.result());
  for (const race::Warning& w : pairs.listed) EXPECT_TRUE(all.contains(std::minmax(w.first.number, w.second.number)));
}

TEST(RacingPairs, OfOneVariableAreBoundedAndCounted) {
  const AnalysedProgram p = many_functions(12, "x++;");
  const std::size_t all = locations(p.result());
  ASSERT_GT(all, 40U);
  const RacingPairs pairs = find_racing_pairs(p.result());
  EXPECT_EQ(pairs.listed.size(), 40U);
  ASSERT_EQ(pairs.unlisted.size(), 1U);
  EXPECT_EQ(pairs.unlisted[0].count, all - 40);
  std::set<std::pair<FunctionId, std::uint32_t>> shown;
  for (const race::Warning& w : pairs.listed)
    shown.insert({{w.first.function, w.first.instruction}, {w.second.function, w.second.instruction}});
  EXPECT_EQ(shown.size(), 24U) << "a load and a store of each function";
}

TEST(RacingPairs, EachVariableHasAListOfItsOwn) {
  const AnalysedProgram p = many_functions(12, "x++; y++;");
  EXPECT_EQ(find_racing_pairs(p.result()).listed.size(), 80U);
}

TEST(RacingPairs, WhatIsNotListedIsInTheWayOfAProof) {
  const AnalysedProgram p = many_functions(12, "x++;");
  race::Docket docket = find_cases(p.program(), p.result());
  EXPECT_EQ(docket.cases.size(), 40U);
  EXPECT_GT(docket.not_listed, 0U);
  docket.cases.clear();  // as if each of them were refuted
  EXPECT_EQ(race::verdict_of(docket), Verdict::Unknown);
  EXPECT_NE(p.obstacles().find("at least " + std::to_string(docket.not_listed) + " more pairs of accesses"),
            std::string::npos)
      << p.obstacles();
}

TEST(RacingPairs, TheOneThatIsAskedForIsFoundWhereverItIs) {
  const AnalysedProgram p = many_functions(12, "x++;");
  int found = 0;
  for (const auto& [a, b] : all_racing(p.result())) {
    PairLimits limits;
    limits.only = warning_of(p.result(), a, b);
    const RacingPairs pairs = find_racing_pairs(p.result(), limits);
    ASSERT_FALSE(pairs.listed.empty());
    EXPECT_TRUE(is_same_pair(pairs.listed[0], *limits.only));
    EXPECT_TRUE(pairs.is_complete());
    ++found;
  }
  EXPECT_GT(found, 40);
}

TEST(RacingPairs, CountingEndsAndTheWordIsAtLeast) {
  const AnalysedProgram p = many_functions(12, "x++;");
  for (const auto set : {&PairLimits::counted, &PairLimits::looked_at}) {
    PairLimits limits;
    limits.*set = 5;
    const RacingPairs pairs = find_racing_pairs(p.result(), limits);
    EXPECT_GE(pairs.listed.size(), 1U);
    EXPECT_LT(pairs.listed.size(), 40U);
    EXPECT_FALSE(pairs.is_complete());
    race::Docket docket = find_cases(p.program(), p.result(), limits);
    docket.cases.clear();
    EXPECT_EQ(race::verdict_of(docket), Verdict::Unknown);
  }
}

TEST(RacingPairs, WhoDoesNotCompareAllProvesNothing) {
  const AnalysedProgram p = many_functions(3, "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);");
  EXPECT_EQ(race::verdict_of(find_cases(p.program(), p.result())), Verdict::RaceFree);
  PairLimits limits;
  limits.compared = 1;
  EXPECT_EQ(race::verdict_of(find_cases(p.program(), p.result(), limits)), Verdict::Unknown);
}

TEST(RacingPairs, ComparesCircumstancesAndNotAccesses) {
  const std::string body = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";
  const AnalysedProgram few = many_functions(4, body), many = many_functions(64, body);
  EXPECT_EQ(find_racing_pairs(few.result()).compared, find_racing_pairs(many.result()).compared);
  EXPECT_EQ(many.says(), "proved");
}

/// Each location meets itself, and those before it and behind it.
TEST(RacingPairs, OfTwoInstancesOfOneThread) {
  const AnalysedProgram p(
      "static void f(void) { x++; } static void g(void) { x++; } THREAD(work) { f(); g(); return 0; }"
      "int main(void) { for (int i = 0; i < 3; i++) START(work); return 0; }");
  ASSERT_EQ(locations(p.result()), 7U) << "each store with each of the four accesses";
  EXPECT_EQ(find_racing_pairs(p.result()).listed.size(), 7U);
}

/// What reaches over several members meets each of them, also those behind shorter ones.
TEST(RacingPairs, OneAccessMeetsAllMembersThatItTouches) {
  for (const std::string length : {"sizeof s1", "ANY"}) {
    const AnalysedProgram p("struct { int a, b, c; } s1; THREAD(fill) { __builtin_memset(&s1, 0, " + length +
                            "); return 0; } THREAD(work) { s1.a = 1; s1.b = 1; s1.c = 1; return 0; }"
                            "int main(void) { START(fill); START(work); return 0; }");
    ASSERT_EQ(locations(p.result()), 3U) << length;
    EXPECT_EQ(find_racing_pairs(p.result()).listed.size(), 3U) << length;
  }
}

/// Memory that is not touched together is not compared.
TEST(RacingPairs, MembersOfOneObjectMeetByTheirBytes) {
  const auto members = [](int count) {
    std::string declared, uses;
    for (int i = 0; i < count; ++i) {
      declared += "int f" + std::to_string(i) + ";";
      uses += "s1.f" + std::to_string(i) + "++;";
    }
    const AnalysedProgram p("struct Many {" + declared + "} s1; THREAD(work) {" + uses +
                            " return 0; } int main(void) { START(work); START(work); return 0; }");
    return find_racing_pairs(p.result()).compared;
  };
  EXPECT_EQ(members(40), 4 * members(10));
}

/// Locks that are held together: the work grows with their number times the variables that they guard, no faster.
TEST(LargePrograms, ManyLocksAreHeldAtOnce) {
  const auto cost = [](int count) {
    std::string declared, taken, given;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      declared += "pthread_mutex_t l" + n + "; int v" + n + ";";
      taken += "pthread_mutex_lock(&l" + n + "); v" + n + "++;";
      given += "pthread_mutex_unlock(&l" + n + ");";
    }
    const AnalysedProgram p(declared + "THREAD(work) {" + taken + given +
                            " return 0; } int main(void) { START(work); START(work); return 0; }");
    EXPECT_EQ(p.says(), "proved");
    return p.result().universe->maps.work();
  };
  EXPECT_LT(cost(64), 5 * cost(32));
}

/// What a block leaves behind is not carried through all blocks that follow.
TEST(LargePrograms, ALongFunctionWithManyBranches) {
  const auto cost = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "if (y > " + std::to_string(i) + ") x += " + std::to_string(i) + ";";
    const AnalysedProgram p(
        "THREAD(work) {" + text +
        " return 0; } int main(int argc, char **argv) { y = argc; START(work); START(work); return 0; }");
    EXPECT_EQ(p.warnings(), "x");
    return p.result().universe->maps.work();
  };
  EXPECT_LT(cost(800), 3 * cost(400));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
