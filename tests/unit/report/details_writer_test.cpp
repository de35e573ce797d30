// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>

#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

std::string text_of(const RaceReport& report) {
  std::ostringstream out;
  write_details(out, report);
  return out.str();
}

TEST(DetailsWriter, DrawsARaceAsClangDrawsAWarning) {
  EXPECT_EQ(text_of(sample_report()),
            R"(heddle: read 2 of 2 files: 5 functions with a body, 4 reached, 61 instructions, 2 threads
server.c:14:3: warning: data race on 'stats.hits': write in count / atomic read in main [hits-1f2e]
server.c:14:3: note: write in count of 's->hits' by thread worker (many instances, created at server.c:40:5); no locks held
server.c:22:5: note: called from worker
main.c:44:20: note: atomic read in main of 'stats.hits' by thread main; locks held: m, stats.lock (shared)
server.c:14:3: note: main does not join worker before it reads
server.c:14:3: note: likely: nothing was found that keeps the two accesses apart
not decided, because:
  server.c:50:3: call of 'longjmp', which heddle does not treat
this result assumes (docs/assumptions.md): thread creation succeeds, locks succeed
)");
}

TEST(DetailsWriter, BeginsWithWhatWasCaptured) {
  RaceReport report;
  report.coverage.is_project = true;
  report.coverage.tried = 4;
  report.coverage.parsed = 3;
  report.coverage.failed = {"a.c:1:2: error: no\nmore of it"};
  report.coverage.skipped = 1;
  report.coverage.program = "server";
  report.coverage.linked = 2;
  std::ostringstream out;
  write_details(out, report);
  EXPECT_TRUE(out.str().starts_with(
      "heddle: read 3 of 4 units of the captured project (1 failed, 1 skipped), 2 in 'server': 0 functions"))
      << out.str();
  EXPECT_NE(out.str().find("heddle: not read: a.c:1:2: error: no\n"), std::string::npos);
  EXPECT_EQ(out.str().find("more of it"), std::string::npos);
}

TEST(DetailsWriter, BeginsWithWhatWasReadEvenWhenThatIsNothing) {
  RaceReport report;
  report.coverage.tried = 1;
  report.coverage.failed = {"a.c:1:1: error: expected identifier"};
  EXPECT_EQ(text_of(report),
            "heddle: read 0 of 1 file: 0 functions with a body, 0 reached, 0 instructions, 0 threads\n"
            "heddle: not read: a.c:1:1: error: expected identifier\n");
}

TEST(DetailsWriter, LeavesOutRefutedWarnings) {
  RaceReport report = sample_report();
  report.races.front().verdict = RaceVerdict::Refuted;
  EXPECT_EQ(text_of(report).find("warning:"), std::string::npos);
}

TEST(DetailsWriter, SaysUnknownForPlacesWithoutDebugInformation) {
  RaceReport report;
  ReportAccess access;
  access.kind = "write";
  report.races.push_back(
      {.id = "", .variable = "x", .verdict = RaceVerdict::Likely, .reasons = {}, .accesses = {access}});
  EXPECT_NE(text_of(report).find("<unknown>: warning: data race on 'x': write in <unknown>\n"), std::string::npos);
}

TEST(DetailsWriter, CountsFunctionsOfLibrariesInsteadOfNamingThem) {
  RaceReport report = sample_report();
  report.races[0].accesses[0].stack = {
      {"server.c", 14, 3, "count"},
      {"/usr/include/c++/12/bits/invoke.h", 61, 1, "std::__invoke<void (*)(int), int>"},
      {"/usr/include/c++/12/thread", 90, 1, "run"},
      {"server.c", 22, 5, "worker"}};
  const std::string text = text_of(report);
  EXPECT_EQ(text.find("invoke.h"), std::string::npos) << text;
  EXPECT_NE(text.find("server.c:22:5: note: called from worker through 2 functions of a library\n"), std::string::npos);
}

TEST(DetailsWriter, TheLimitCountsVariables) {
  RaceReport report = sample_report();
  report.races.push_back(report.races[0]);  // of the same variable
  report.races.push_back(report.races[0]);
  report.races[2].variable = "other";
  std::ostringstream out;
  write_details(out, report, 1);
  EXPECT_EQ(out.str().find("'other'"), std::string::npos);
  EXPECT_NE(out.str().find("warning", out.str().find("warning") + 1), std::string::npos);
}

TEST(DetailsWriter, SurvivesARaceWithoutAccesses) {
  RaceReport report;
  report.races.emplace_back();
  EXPECT_EQ(text_of(report).find("warning:"), std::string::npos);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
