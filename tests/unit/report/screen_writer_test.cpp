// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>

#include "report/report_writer.h"
#include "report/sample_report.h"
#include "report/screen/layout.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

std::string text_of(const RaceReport& report, const TextOptions& options = {}) {
  std::ostringstream out;
  write_text(out, report, options);
  return out.str();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// As many variables as that, all but the last `unlikely` of them likely; names and places are long.
RaceReport long_report(std::size_t count, std::size_t unlikely) {
  RaceReport report = sample_report();
  report.verdict = Verdict::Unknown;
  report.obstacles = {{"", "the project has 5 programs and all were taken as one; choose with --program"}};
  report.coverage.thread_list = {{"main", false, {}}, {"worker", true, {}}};
  report.races.clear();
  for (std::size_t i = 0; i < count; ++i) {
    ReportRace race = explained_race();
    race.id = std::to_string(100000 + i * 7919);
    race.variable = "connection->statistics.of_the_last_minute[slot].bytes_" + std::to_string(i);
    race.group = static_cast<std::uint32_t>(i + 1);
    race.verdict = i + unlikely < count ? RaceVerdict::Likely : RaceVerdict::Unlikely;
    race.accesses[0].file = "/home/somebody/project/source/network/connection_statistics.c";
    race.accesses[0].function = "account_for_the_bytes_of_a_connection";
    race.guard->lock = "connection->server->statistics_of_all.lock";
    report.races.push_back(race);
  }
  return report;
}

TEST(ScreenWriter, StacksTheAccessesOfFewVariables) {
  RaceReport report = sample_report();
  report.races = {explained_race()};
  report.coverage.thread_list = {{"main", false, {}}, {"worker", true, {}}};
  EXPECT_EQ(text_of(report), R"(heddle: read 2 of 2 files: 5 functions, 61 instructions
2 threads: main, worker×n
not looked at: 1 function that no thread reaches

likely s->hits: 14 of 15 hold m [hits]
    write       server.c:14  count < worker×n or 1 more  no lock
    atomic read main.c:44    main                        holds it, stats.lock (shared)
not decided, because:
  server.c:50:3: call of 'longjmp', which heddle does not treat
this result assumes (docs/assumptions.md): thread creation succeeds and 1 more (--details)
)");
}

TEST(ScreenWriter, FifteenVariablesFitAScreen) {
  const std::string text = text_of(long_report(200, 50));
  EXPECT_LE(lines_of(text).size(), 38U) << text;  // and two lines of the command
  EXPECT_NE(text.find("and 185 more variables: 135 likely, 50 unlikely: --limit 0 shows all"), std::string::npos);
  EXPECT_NE(text.find(".bytes_14"), std::string::npos);
  EXPECT_EQ(text.find(".bytes_15"), std::string::npos);
}

TEST(ScreenWriter, NoLineIsWiderThanItMayBe) {
  for (const std::size_t count : {1U, 5U, 40U})
    for (std::size_t width = 40; width <= 220; width += 9)
      for (const std::string& line : lines_of(text_of(long_report(count, 3), {.width = width, .limit = 0})))
        EXPECT_LE(width_of(line), width) << line;
}

TEST(ScreenWriter, TheLimitIsTheUsers) {
  const RaceReport report = long_report(20, 0);
  EXPECT_EQ(text_of(report, {.limit = 0}).find("more variable"), std::string::npos);
  EXPECT_NE(text_of(report, {.limit = 19}).find("and 1 more variable: 1 likely"), std::string::npos);
}

TEST(ScreenWriter, RacesOnOneVariableAreOneBlockUnderItsSurestWord) {
  RaceReport report = long_report(3, 0);
  report.races[0].verdict = RaceVerdict::Unlikely;
  report.races[2].group = report.races[0].group;
  report.races[2].verdict = RaceVerdict::Confirmed;
  report.races[2].variable = "shared";
  const std::string text = text_of(report);
  EXPECT_NE(text.find("confirmed shared"), std::string::npos) << text;
  EXPECT_LT(text.find("confirmed"), text.find("likely"));
  EXPECT_EQ(text.find("unlikely"), std::string::npos) << "the block has the word of its surest race\n" << text;
}

TEST(ScreenWriter, ColoursOnlyWhereTheyAreWanted) {
  EXPECT_EQ(text_of(long_report(20, 3)).find('\033'), std::string::npos);
  const std::string colored = text_of(long_report(20, 3), {.has_color = true});
  EXPECT_NE(colored.find("\033[33mlikely\033[0m"), std::string::npos);
}

TEST(ScreenWriter, PlacesBelowTheFolderAreShort) {
  RaceReport report = long_report(1, 0);
  report.races[0].accesses[0].file = "/home/me/project/net/a.c";
  EXPECT_NE(text_of(report, {.folder = "/home/me/project"}).find(" net/a.c:14 "), std::string::npos);
}

TEST(ScreenWriter, ShowsTheUsersLineForAnAccessInALibrary) {
  RaceReport report = sample_report();
  ReportRace& race = report.races[0];
  ReportAccess& access = race.accesses[0];
  access.file = "/usr/include/c++/12/bits/stl_vector.h";
  access.function = "std::vector<int, std::allocator<int>>::push_back";
  access.user_path = race.variable = "this->jobs";
  access.threads = {{"std::thread::_State_impl<X>::_M_run", false, {}, "lambda at pool.cpp:31"}};
  access.stack = {{access.file, 14, 3, access.function},
                  {"pool.cpp", 9, 3, "Pool::put"},
                  {"pool.cpp", 32, 3, "main::$_0::operator()"},
                  {"/usr/include/c++/12/thread", 1, 1, "std::thread::_State_impl<X>::_M_run"}};
  const std::string text = text_of(report);
  EXPECT_NE(text.find("pool.cpp:9  Pool::put < lambda at pool.cpp:31 "), std::string::npos) << text;
  EXPECT_EQ(text.find("stl_vector.h"), std::string::npos);
  EXPECT_NE(text.find("likely this->jobs"), std::string::npos);
}

TEST(ScreenWriter, SaysASideThatLooksLikeTheOtherInWords) {
  RaceReport report = sample_report();
  report.races[0].accesses[1] = report.races[0].accesses[0];
  EXPECT_NE(text_of(report).find("no lock\n    the same, in another thread\n"), std::string::npos) << text_of(report);
}

TEST(ScreenWriter, AFunctionWhoseNameBeginsTheThreadsIsNotTheThread) {
  RaceReport report = sample_report();
  report.races[0].accesses[0].function = report.races[0].accesses[0].stack[0].function = "work";
  EXPECT_NE(text_of(report).find("work < worker"), std::string::npos) << text_of(report);
}

TEST(ScreenWriter, AProofNamesEverythingItRestsOn) {
  RaceReport report = sample_report();
  report.races.clear();
  report.obstacles.clear();
  report.verdict = Verdict::RaceFree;
  for (int i = 0; i < 20; ++i) report.assumptions.push_back("assumption-number-" + std::to_string(i));
  EXPECT_NE(text_of(report).find("assumption-number-19"), std::string::npos);
}

TEST(ScreenWriter, SaysOnceWhatIsMetAtSeveralPlaces) {
  RaceReport report = sample_report();
  report.verdict = Verdict::Unknown;
  report.obstacles = {{"a.c:1:1", "no"}, {"a.c:2:1", "no"}, {"a.c:3:1", "never"}};
  EXPECT_NE(text_of(report).find("  a.c:1:1: no (and at 1 more place)\n  a.c:3:1: never\n"), std::string::npos);
}

TEST(ScreenWriter, BeginsWithWhatWasCaptured) {
  RaceReport report;
  report.coverage.is_project = true;
  report.coverage.tried = 4;
  report.coverage.parsed = 3;
  report.coverage.failed = {"a.c:1:2: error: no\nmore of it"};
  report.coverage.skipped = 1;
  report.coverage.program = "server";
  report.coverage.linked = 2;
  const std::string text = text_of(report);
  EXPECT_TRUE(text.starts_with("heddle: read 3 of 4 units (1 failed, 1 skipped), 2 in 'server': 0 functions")) << text;
  EXPECT_NE(text.find("not read: a.c:1:2: error: no\n"), std::string::npos);
  EXPECT_EQ(text.find("more of it"), std::string::npos);
}

TEST(ScreenWriter, LeavesOutRefutedSuppressedAndEmptyRaces) {
  RaceReport report = sample_report();
  report.races.emplace_back();
  report.races[0].verdict = RaceVerdict::Refuted;
  EXPECT_EQ(text_of(report).find("stats.hits"), std::string::npos);
  report.races[0].verdict = RaceVerdict::Likely;
  report.races[0].suppressed = "s.supp:1";
  EXPECT_EQ(text_of(report).find("stats.hits"), std::string::npos);
}

TEST(ScreenWriter, SaysUnknownForPlacesWithoutDebugInformation) {
  RaceReport report;
  ReportAccess access;
  access.kind = "write";
  report.races.push_back(
      {.id = "", .variable = "x", .verdict = RaceVerdict::Likely, .reasons = {}, .accesses = {access}});
  EXPECT_NE(text_of(report).find("write <unknown>  <unknown>"), std::string::npos) << text_of(report);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
