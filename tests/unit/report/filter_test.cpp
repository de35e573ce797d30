// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/filter.h"

#include <gtest/gtest.h>

#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

Filter of_file(const char* text) { return {.files = {text}, .variables = {}, .threads = {}, .least = {}}; }
Filter of_variable(const char* text) { return {.files = {}, .variables = {text}, .threads = {}, .least = {}}; }
Filter of_thread(const char* text) { return {.files = {}, .variables = {}, .threads = {text}, .least = {}}; }
Filter at_least(RaceVerdict least) { return {.files = {}, .variables = {}, .threads = {}, .least = least}; }

TEST(Filter, EitherSideMayFit) {
  ReportRace race = explained_race();
  race.accesses[0].file = "/src/net/server.c";
  for (const char* file : {"server.c", "net/", "main.c", "net/*.c", "*.c", "/src/*"})
    EXPECT_TRUE(passes(of_file(file), race)) << file;
  for (const char* file : {"other.c", "et/*.c", "*.h", "src"}) EXPECT_EQ(passes(of_file(file), race), file[0] == 's');
  EXPECT_TRUE(passes(of_variable("hits"), race));
  EXPECT_TRUE(passes(of_variable("stats.hits"), race)) << "the name that the other access gives it";
  EXPECT_FALSE(passes(of_variable("hits*more"), race));
  EXPECT_TRUE(passes(of_thread("timer"), race)) << "one of several threads that come there";
  EXPECT_FALSE(passes(of_thread("logger"), race));
}

TEST(Filter, FindsTheUsersNamesForWhatALibraryDoes) {
  ReportRace race = explained_race();
  ReportAccess& access = race.accesses[0];
  access.file = "/usr/include/c++/12/vector";
  access.stack = {{access.file, 14, 3, "push_back"}, {"pool.cpp", 9, 3, "put"}};
  access.user_path = "this->jobs";
  access.threads = {{"std::thread::_M_run", false, {}, "lambda at pool.cpp:31"}};
  EXPECT_TRUE(passes(of_file("pool.cpp"), race));
  EXPECT_TRUE(passes(of_variable("jobs"), race));
  EXPECT_TRUE(passes(of_thread("lambda at*"), race));
}

TEST(Filter, OnlyMeansThisOrSurer) {
  ReportRace race = explained_race();
  for (const RaceVerdict verdict : {RaceVerdict::Confirmed, RaceVerdict::Likely, RaceVerdict::Unlikely})
    for (const RaceVerdict least : {RaceVerdict::Confirmed, RaceVerdict::Likely, RaceVerdict::Unlikely}) {
      race.verdict = verdict;
      EXPECT_EQ(passes(at_least(least), race), verdict <= least);
    }
  EXPECT_EQ(least_of("likely"), RaceVerdict::Likely);
  EXPECT_EQ(least_of(""), std::nullopt);
}

TEST(Filter, EveryKindMustFitAndCountsWhatItLeavesOut) {
  RaceReport report = sample_report();
  report.races = {explained_race(), explained_race(), explained_race(), explained_race()};
  report.races[1].variable = report.races[1].accesses[0].path = report.races[1].accesses[1].path = "other";
  report.races[2].accesses[0].file = report.races[2].accesses[1].file = "elsewhere.c";
  report.races[3].variable = report.races[3].accesses[0].path = report.races[3].accesses[1].path = "gone";
  report.races[3].suppressed = "s.supp:1";
  apply({.files = {"server.c", "no.c"}, .variables = {"hits"}, .threads = {}, .least = {}}, report);
  EXPECT_EQ(report.races.size(), 1U);
  EXPECT_EQ(report.filtered_out, 2U) << "nobody would have seen the suppressed one";
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
