// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/judge.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/check.h"
#include "race/silent_evidence.h"

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

class TestJudge : public WarningJudge {
 public:
  explicit TestJudge(std::function<Opinion(const Warning&, Budget&)> say) : WarningJudge(10), say_(std::move(say)) {}
  [[nodiscard]] std::string_view name() const override { return "test"; }
  [[nodiscard]] Opinion look_at(const Warning& w, Evidence&, Budget& budget) override { return say_(w, budget); }

 private:
  std::function<Opinion(const Warning&, Budget&)> say_;
};

CaseFile numbered(std::uint32_t number) {
  CaseFile one;
  one.warning.number = number;
  return one;
}

TEST(WarningJudge, LooksAtEveryOpenCase) {
  Docket docket;
  docket.cases = {numbered(0), numbered(1), numbered(2)};
  docket.cases[1].add("search", Confirmed{});
  SilentEvidence evidence;
  std::vector<std::uint32_t> asked;
  TestJudge([&](const Warning& w, Budget&) {
    asked.push_back(w.number);
    return Opinion(Unlikely{"doubt", -1});
  }).judge(docket, evidence);
  EXPECT_EQ(asked, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(docket.cases[0].opinions.at(0).judge, "test");
  EXPECT_EQ(docket.cases[1].opinions.size(), 1U);
}

TEST(WarningJudge, EachWarningHasItsOwnBudget) {
  Docket docket;
  docket.cases = {numbered(0), numbered(1)};
  SilentEvidence evidence;
  TestJudge([&](const Warning&, Budget& budget) {
    EXPECT_TRUE(budget.take(10));
    EXPECT_FALSE(budget.take(1));
    return Opinion(NoOpinion{"used up"});
  }).judge(docket, evidence);
}

TEST(WarningJudge, ABugCostsTheOpinionAndTheProof) {
  Docket docket;
  docket.is_exhaustive = true;
  docket.cases = {numbered(0), numbered(1)};
  SilentEvidence evidence;
  TestJudge([&](const Warning& w, Budget&) -> Opinion {
    HEDDLE_CHECK(w.number != 0, "the first one is too hard");
    return Unlikely{"doubt"};
  }).judge(docket, evidence);
  EXPECT_NE(docket.cases[0].find<NoOpinion>(), nullptr);
  EXPECT_NE(docket.cases[1].find<Unlikely>(), nullptr) << "the others are still looked at";
  ASSERT_EQ(docket.obstacles.size(), 1U);
  EXPECT_EQ(docket.obstacles[0].kind, Obstacle::Kind::Bug);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
