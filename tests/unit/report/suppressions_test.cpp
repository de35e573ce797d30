// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/suppressions.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend/scratch_source.h"
#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

TEST(Suppressions, PatternsAreThoseOfThreadSanitizer) {
  EXPECT_TRUE(matches_pattern("count", "recount_all"));
  EXPECT_TRUE(matches_pattern("^count", "count_all"));
  EXPECT_FALSE(matches_pattern("^count", "recount"));
  EXPECT_TRUE(matches_pattern("count$", "recount"));
  EXPECT_FALSE(matches_pattern("count$", "counts"));
  EXPECT_TRUE(matches_pattern("^z*_free$", "zlib_x_free"));
  EXPECT_FALSE(matches_pattern("^z*_free$", "zlib_free_x"));
}

TEST(Suppressions, RuleMarksAndIsCounted) {
  RaceReport report = sample_report();
  Suppressions rules;
  ASSERT_TRUE(rules.add_text("# ours\nrace:^count$\nrace:no_such_function\nmutex:whatever\n", "s.supp").has_value());
  rules.apply(report);
  EXPECT_EQ(report.races[0].suppressed, "s.supp:2: race:^count$");
  EXPECT_EQ(rules.unused(), std::vector<std::string>{"s.supp:3: race:no_such_function"});
  std::ostringstream text;
  write_text(text, report);
  EXPECT_FALSE(text.str().contains("[" + report.races[0].id + "]"));
}

TEST(Suppressions, AnIdHitsOneRace) {
  RaceReport report = sample_report();
  report.races.push_back(report.races[0]);
  report.races[1].id = report.races[0].id + "0";
  Suppressions rules;
  ASSERT_TRUE(rules.add_text("race:^id:" + report.races[0].id + "$", "s.supp").has_value());
  rules.apply(report);
  EXPECT_NE(report.races[0].suppressed, "");
  EXPECT_EQ(report.races[1].suppressed, "");
}

TEST(Suppressions, BadLineIsAnErrorWithItsPlace) {
  Suppressions rules;
  const auto added = rules.add_text("race:ok\nrase:typo\n", "s.supp");
  ASSERT_FALSE(added.has_value());
  EXPECT_TRUE(added.error().message.starts_with("s.supp:2: "));
}

TEST(Suppressions, CommentNeedsAReason) {
  const frontend::ScratchFolder folder;
  const std::string file = folder.write("a.c", "x++; // heddle: ignore, only statistics\ny++; // heddle: ignore\n");
  RaceReport report = sample_report();
  report.races.resize(1);
  report.races[0].accesses[0].file = file;
  report.races[0].accesses[0].line = 2;
  Suppressions none;
  none.apply(report);
  EXPECT_EQ(report.races[0].suppressed, "");
  EXPECT_EQ(none.without_reason(), std::set<std::string>{file + ":2"}) << "and that is told";
  report.races[0].accesses[0].line = 1;
  none.apply(report);
  EXPECT_EQ(report.races[0].suppressed, file + ":1: only statistics");
}

TEST(Baseline, TellsNewFromUnchanged) {
  const frontend::ScratchFolder folder;
  RaceReport report = sample_report();
  std::ostringstream old;
  write_json(old, report);
  const std::string file = folder.write("old.json", old.str());
  ReportRace fresh = report.races[0];
  fresh.id = "something-new";
  const std::string gone = report.races.back().id;
  report.races.back() = fresh;
  const auto fixed = compare_with_baseline(report, file);
  ASSERT_TRUE(fixed.has_value());
  EXPECT_EQ(*fixed, std::vector<std::string>{gone});
  EXPECT_EQ(report.races.back().baseline, "new");
  EXPECT_FALSE(compare_with_baseline(report, folder.write("bad.json", "[1")).has_value());
  EXPECT_FALSE(compare_with_baseline(report, folder.path("none.json")).has_value());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
