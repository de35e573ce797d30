// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/docket.h"

#include <gtest/gtest.h>

#include "race/proof.h"

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

/// What a checker would do.
struct TestChecker : ProofChecker {
  static Proof proof() { return accept(Proof::Form::Exhaustion, "all were looked at", {"locks-succeed"}, 7); }
};

CaseFile with(Opinion opinion) {
  CaseFile one;
  one.add("test", std::move(opinion));
  return one;
}

Docket exhaustive() {
  Docket docket;
  docket.is_exhaustive = true;
  return docket;
}

TEST(CaseFileVerdict, FollowsFromTheOpinions) {
  EXPECT_EQ(CaseFile{}.verdict(), RaceVerdict::Likely);
  EXPECT_EQ(with(NoOpinion{"too large"}).verdict(), RaceVerdict::Likely);
  EXPECT_EQ(with(Unlikely{"a statistic", -5}).verdict(), RaceVerdict::Unlikely);
  EXPECT_EQ(with(Witnessed{}).verdict(), RaceVerdict::Witnessed);
  EXPECT_EQ(with(Refuted{TestChecker::proof()}).verdict(), RaceVerdict::Refuted);
  EXPECT_EQ(with(Confirmed{}).verdict(), RaceVerdict::Confirmed);
}

TEST(CaseFileVerdict, WhatWasSeenCountsMost) {
  CaseFile one = with(Confirmed{});
  one.add("other", Refuted{TestChecker::proof()});
  one.add("third", NoOpinion{});
  EXPECT_EQ(one.verdict(), RaceVerdict::Confirmed);
  EXPECT_FALSE(one.is_open());
  EXPECT_EQ(one.opinions.size(), 3U) << "nothing is overwritten";
}

TEST(CaseFileVerdict, AWitnessOutweighsADoubt) {
  CaseFile one = with(Unlikely{"doubt"});
  one.add("bmc", Witnessed{});
  EXPECT_EQ(one.verdict(), RaceVerdict::Witnessed);
  EXPECT_TRUE(one.is_open());
}

TEST(DocketVerdict, NothingIsProvedByADriverThatDidNotSeeEverything) {
  EXPECT_EQ(verdict_of(Docket{}), Verdict::Unknown);
  EXPECT_EQ(verdict_of(exhaustive()), Verdict::RaceFree);
}

TEST(DocketVerdict, WarningsThatAreNotListedAreNoProof) {
  Docket docket = exhaustive();
  docket.cases.push_back(with(Refuted{TestChecker::proof()}));
  EXPECT_EQ(verdict_of(docket), Verdict::RaceFree);
  docket.not_listed = 1;
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown);
  docket.proof = TestChecker::proof();
  EXPECT_EQ(verdict_of(docket), Verdict::RaceFree) << "a proof of the whole program covers them";
}

TEST(DocketVerdict, AWarningThatStandsIsNoProof) {
  Docket docket = exhaustive();
  docket.cases.push_back(CaseFile{});
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown);
  docket.cases[0].add("test", Unlikely{"doubt"});
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown) << "a doubt refutes nothing";
  docket.cases[0].add("test", Refuted{TestChecker::proof()});
  EXPECT_EQ(verdict_of(docket), Verdict::RaceFree);
  docket.cases.push_back(CaseFile{});
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown) << "one of two is refuted";
}

TEST(DocketVerdict, EachObstacleForbidsAStaticProof) {
  for (const auto kind : {Obstacle::Kind::Analysis, Obstacle::Kind::Gap, Obstacle::Kind::Judge, Obstacle::Kind::Bug}) {
    Docket docket = exhaustive();
    docket.obstacles.push_back({kind, {}, "longjmp"});
    EXPECT_EQ(verdict_of(docket), Verdict::Unknown);
  }
}

TEST(DocketVerdict, AProofOfTheProgramNeedsNoStaticStages) {
  Docket docket;
  docket.proof = TestChecker::proof();
  docket.obstacles.push_back({Obstacle::Kind::Analysis, {}, "longjmp"});
  EXPECT_EQ(verdict_of(docket), Verdict::RaceFree);
  docket.obstacles.push_back({Obstacle::Kind::Gap, {}, "a unit is missing"});
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown) << "what is missing was not looked at";
  docket.obstacles.back().kind = Obstacle::Kind::Bug;
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown);
}

TEST(DocketVerdict, AConfirmedRaceIsARaceWhateverElseIsThere) {
  Docket docket = exhaustive();
  docket.obstacles.push_back({Obstacle::Kind::Gap, {}, "a unit is missing"});
  docket.cases.push_back(with(Confirmed{}));
  EXPECT_EQ(verdict_of(docket), Verdict::Race);
}

TEST(DocketVerdict, AWitnessAloneIsNoRaceYet) {
  Docket docket = exhaustive();
  docket.cases.push_back(with(Witnessed{}));
  EXPECT_EQ(verdict_of(docket), Verdict::Unknown);
}

TEST(Docket, AssumptionsAreNamedOnce) {
  Docket docket;
  docket.assume("sequential-consistency");
  docket.assume("locks-succeed");
  docket.assume("sequential-consistency");
  EXPECT_EQ(docket.assumptions, (std::vector<std::string>{"sequential-consistency", "locks-succeed"}));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
