// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/build_report.h"

#include <gtest/gtest.h>

#include <set>

#include "program/model/program_builder.h"
#include "race/silent_evidence.h"

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

struct TestChecker : ProofChecker {
  static Proof proof() { return accept(Proof::Form::Exhaustion, "all were looked at", {"locks-succeed"}, 7); }
};

/// void f(int *p) { *p = 1; *p = 2; }
Program two_stores() {
  ProgramBuilder b;
  FunctionBuilder& f = b.function("f", b.void_type(), {b.ptr_type()});
  f.at(3, 5).store(b.int_constant(b.int_type(32), 1), f.param(0));
  f.at(4, 5).store(b.int_constant(b.int_type(32), 2), f.param(0));
  f.ret();
  return b.take();
}

CaseFile of(std::uint32_t first, std::uint32_t second) {
  return {{{FunctionId(0), first, AccessKind::Write}, {FunctionId(0), second, AccessKind::Write}}};
}

ReportAccess said(const std::string& file, std::uint32_t line) {
  ReportAccess out;
  out.file = file;
  out.line = line;
  return out;
}

TEST(BuildReport, WordsComeFromTheEvidence) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.cases = {of(0, 1)};
  const RaceReport report = build_report(p, docket, evidence);
  ASSERT_EQ(report.races.size(), 1U);
  const ReportRace& race = report.races[0];
  EXPECT_EQ(race.accesses[0].line, 3U);
  EXPECT_EQ(race.accesses[1].line, 4U);
  EXPECT_EQ(race.accesses[0].kind, "write");
  EXPECT_EQ(race.variable, "object");
  EXPECT_EQ(race.parallel, "they may");
  EXPECT_EQ(race.reasons, std::vector<std::string>{"no lock"});
}

TEST(BuildReport, ConfirmedCasesComeFirstAndTheOthersKeepTheirOrder) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.cases = {of(0, 0), of(0, 1), of(1, 1)};
  docket.cases[2].add("search", Confirmed{Grade::Replay, {}, "seen"});
  const RaceReport report = build_report(p, docket, evidence);
  EXPECT_EQ(report.verdict, Verdict::Race);
  EXPECT_EQ(report.races[0].reasons, std::vector<std::string>{"seen"});
  EXPECT_EQ(report.races[1].accesses[1].line, 3U);
  EXPECT_EQ(report.races[2].accesses[1].line, 4U);
}

TEST(BuildReport, DoubtsOfJudgesAreReasons) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.cases = {of(0, 1)};
  docket.cases[0].add("a", Unlikely{"no lock"});
  docket.cases[0].add("b", Unlikely{"a statistic"});
  const RaceReport report = build_report(p, docket, evidence);
  EXPECT_EQ(report.races[0].reasons, (std::vector<std::string>{"no lock", "a statistic"}));
  EXPECT_EQ(report.races[0].verdict, RaceVerdict::Unlikely);
}

TEST(BuildReport, AProofOfTheProgramReplacesObstaclesAndAssumptions) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.cases = {of(0, 1)};
  docket.assumptions = {"stable-paths"};
  docket.obstacles = {{Obstacle::Kind::Analysis, "a.c:1:1", "longjmp"}};
  docket.proof = TestChecker::proof();
  docket.cases[0].add("search", Refuted{*docket.proof});
  const RaceReport report = build_report(p, docket, evidence);
  EXPECT_EQ(report.verdict, Verdict::RaceFree);
  EXPECT_TRUE(report.obstacles.empty());
  EXPECT_EQ(report.assumptions, std::vector<std::string>{"locks-succeed"});
  EXPECT_EQ(report.exhausted_traces, 7U);
  EXPECT_EQ(report.races[0].verdict, RaceVerdict::Refuted);
  EXPECT_EQ(report.races[0].reasons, std::vector<std::string>{"all were looked at"});
}

TEST(BuildReport, WithAGapTheObstaclesStay) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.obstacles = {{Obstacle::Kind::Gap, {}, "a unit is missing"}};
  docket.proof = TestChecker::proof();
  const RaceReport report = build_report(p, docket, evidence);
  EXPECT_EQ(report.verdict, Verdict::Unknown);
  EXPECT_EQ(report.obstacles.size(), 1U);
  EXPECT_EQ(report.exhausted_traces, 0U);
}

TEST(BuildReport, IdsAreUnique) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  docket.cases = {of(0, 0), of(0, 1), of(1, 1), of(0, 1)};
  const RaceReport report = build_report(p, docket, evidence);
  std::set<std::string> ids;
  for (const ReportRace& race : report.races) ids.insert(race.id);
  EXPECT_EQ(ids.size(), 4U);
}

TEST(BuildReport, ARaceThatOnlyARunMetHasTheWordsOfTheRun) {
  const Program p = two_stores();
  SilentEvidence evidence;
  Docket docket;
  CaseFile one = of(0, 1);
  one.seen = Sighting{"heap object", {said("a.c", 9), ReportAccess{}}};
  one.add("search", Confirmed{Grade::Replay, {}, "seen"});
  docket.cases.push_back(one);
  const RaceReport report = build_report(p, docket, evidence);
  EXPECT_EQ(report.races[0].variable, "heap object");
  EXPECT_EQ(report.races[0].accesses[0].line, 9U);
  EXPECT_EQ(report.races[0].id.size(), 12U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
