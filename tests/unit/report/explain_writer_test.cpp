// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <sstream>

#include "frontend/scratch_source.h"
#include "report/report_writer.h"
#include "report/sample_report.h"

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

std::string explanation(const ReportRace& race) {
  RaceReport report;
  report.races = {race};
  report.coverage.program = "server";
  std::ostringstream out;
  write_explanation(out, report, report.races[0]);
  return out.str();
}

TEST(ExplainWriter, SaysEverythingKnown) {
  EXPECT_EQ(explanation(explained_race()), R"(data race on 's->hits' [hits-77]
likely: nothing was found that keeps the two accesses apart

one side: write of 's->hits' in count
  at server.c:14:3
  by any of these threads
    worker (several instances), created at server.c:40:5
    timer
  holds no lock
  called from
    worker at server.c:22:5

the other side: atomic read of 'stats.hits' in main
  at main.c:44:20
  by thread main
  holds 'm', taken in main at main.c:43:3
  holds 'stats.lock (shared)'

why the two can happen at the same time
  main has started 'worker' and has not surely waited for it
  no lock is held on both sides

locks at the accesses to it: 14 of 15 hold 'm'
  these do not
    write in count at server.c:14:3
    and 2 more

what moved it in the list, up or down
   +933  most hold it
    -80  one side is main
   +853  in all: place 1 of 1

what to do
  if it is real: hold 'm' on both sides, as the other accesses do
  if it is meant: write '// heddle: ignore, REASON' on the line server.c:14,
    or 'race:^id:hits-77$' into a file for 'heddle scan --suppressions FILE'
  to have it decided: 'heddle verify --race hits-77 --program server'
)");
}

TEST(ExplainWriter, RefutedRaceHasItsProof) {
  ReportRace race = explained_race();
  race.verdict = RaceVerdict::Refuted;
  race.judge = "history";
  race.reasons = {"'m' and 'n' are taken in opposite orders"};
  const std::string text = explanation(race);
  EXPECT_NE(text.find("why it cannot happen (judge 'history')\n  'm' and 'n' are taken in opposite orders\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("why the two can happen"), std::string::npos);
  EXPECT_EQ(text.find("what to do"), std::string::npos);
}

TEST(ExplainWriter, ShowsTheSourceLine) {
  const frontend::ScratchFolder folder;
  ReportRace race = explained_race();
  race.accesses[0].file = folder.write("a.c", "int x;\n\tvoid f(void) { x = 1; }\n");
  race.accesses[0].line = 2;
  race.accesses[0].column = 19;
  EXPECT_TRUE(explanation(race).contains("    2 | \tvoid f(void) { x = 1; }\n      | \t                 ^\n"));
  race.accesses[0].line = 99;
  EXPECT_FALSE(explanation(race).contains(" | "));
}

TEST(ExplainWriter, ConfirmedRaceHasItsSchedule) {
  ReportRace race = explained_race();
  race.verdict = RaceVerdict::Confirmed;
  race.opinions.clear();
  race.reasons = {"a schedule of 9 steps brings both there"};
  const std::string text = explanation(race);
  EXPECT_TRUE(text.contains("a schedule of 9 steps"));
  EXPECT_TRUE(text.contains("heddle replay"));
  EXPECT_FALSE(text.contains("heddle: ignore"));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
