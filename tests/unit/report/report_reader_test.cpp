// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_reader.h"

#include <gtest/gtest.h>

#include <sstream>

#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

std::string json_of(const RaceReport& report) {
  std::ostringstream out;
  write_json(out, report);
  return out.str();
}

RaceReport with_ids(const std::vector<std::string>& ids) {
  RaceReport report;
  for (const std::string& id : ids) {
    report.races.push_back(explained_race());
    report.races.back().id = id;
  }
  return report;
}

std::string error_of(const RaceReport& report, const std::string& id) {
  const auto found = find_race(report, id);
  return found ? "found " + (*found)->id : found.error().message;
}

TEST(ReportReader, GivesBackWhatWasWritten) {
  RaceReport report;
  report.coverage.is_project = true;
  report.coverage.program = "server";
  report.verdict = Verdict::Race;
  report.races = {explained_race(), sample_report().races[0]};
  report.races[1].verdict = RaceVerdict::Unlikely;
  report.races[1].suppressed = "s.supp:1";
  report.races[1].baseline = "new";
  report.obstacles = {{"a.c:1:2", "an obstacle"}};
  report.assumptions = {"one-parent"};
  const auto read = read_json(json_of(report));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(json_of(*read), json_of(report));
}

TEST(ReportReader, WhatIsMissingStaysEmpty) {
  const auto read = read_json(R"({"races": [{"id": "a", "accesses": [{"line": "12"}, 3], "guard": 1}, {}]})");
  ASSERT_TRUE(read.has_value());
  ASSERT_EQ(read->races.size(), 2U);
  EXPECT_EQ(read->races[0].accesses.size(), 1U);
  EXPECT_EQ(read->races[0].accesses[0].line, 0U);
  EXPECT_FALSE(read->races[0].guard.has_value());
}

TEST(ReportReader, OtherFilesAreRefused) {
  for (const char* text : {"", "[]", "{}", "{\"races\": 3}", "{\"races\": ["})
    EXPECT_FALSE(read_json(text).has_value());
}

TEST(FindRace, ByIdOrItsBeginning) {
  const RaceReport report = with_ids({"3f2a", "3f2ab", "77"});
  EXPECT_EQ(error_of(report, "3f2a"), "found 3f2a") << "a whole ID is no beginning";
  EXPECT_EQ(error_of(report, "3f2ab"), "found 3f2ab");
  EXPECT_EQ(error_of(report, "7"), "found 77");
}

TEST(FindRace, ErrorsNameTheIds) {
  const RaceReport report = with_ids({"3f2a", "3f2b", "77aa", "9999"});
  EXPECT_TRUE(error_of(report, "3f").contains("2 IDs"));
  EXPECT_TRUE(error_of(report, "3f").contains("3f2a") && error_of(report, "3f").contains("3f2b"));
  EXPECT_TRUE(error_of(report, "77ab").contains("the nearest are 77aa"));
  EXPECT_TRUE(error_of(report, "").contains("no race"));
  EXPECT_TRUE(error_of({}, "3f").contains("has no races"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
