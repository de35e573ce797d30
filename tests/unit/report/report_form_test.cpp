// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/report_form.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

RaceReport some_report() {
  RaceReport report;
  report.verdict = Verdict::Unknown;
  report.coverage.functions = 300;
  report.coverage.notes = {"a note"};
  report.obstacles.push_back({"a.c:1:2", "what"});
  report.assumptions = {"stable-paths", "one-element"};
  ReportRace race;
  race.id = "0123";
  race.variable = "x";
  race.verdict = RaceVerdict::Unlikely;
  race.reasons = {"because", ""};
  ReportAccess access;
  access.file = "a.c";
  access.line = 1'000'000;
  access.is_atomic = true;
  access.locks = {"m"};
  access.stack = {{"a.c", 1, 2, "f"}, {"b.c", 3, 4, "main"}};
  race.accesses = {access, access};
  report.races = {race, race};
  return report;
}

TEST(ReportForm, KeepsEverything) {
  const std::string bytes = to_bytes(some_report());
  const auto again = report_of_bytes(bytes);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(to_bytes(*again), bytes);
  EXPECT_EQ(again->races[1].accesses[0].stack[1].function, "main");
  EXPECT_EQ(again->races[0].verdict, RaceVerdict::Unlikely);
  EXPECT_EQ(again->coverage.functions, 300U);
}

TEST(ReportForm, OtherBytesAreNoReport) {
  const std::string bytes = to_bytes(some_report());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(report_of_bytes(bytes.substr(0, size)).has_value()) << size;
  EXPECT_FALSE(report_of_bytes(bytes + "x").has_value());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
