// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/screen/shown.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace HEDDLE_TEST_FILE {

TEST(Shown, CommandsOfTerminalsAreVisible) {
  EXPECT_EQ(shown("\x1b]0;title\x07 x.c"), "<U+001B>]0;title<U+0007> x.c");
  EXPECT_EQ(shown("a\rb\nc\x7f"), "a<U+000D>b<U+000A>c<U+007F>");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m"),
            "<U+009B>31m")
      << "the one-character form of ESC [";
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a<U+0000>b");
}

TEST(Shown, MarksOfDirectionAreVisible) {
  EXPECT_EQ(shown("if (\xe2\x80\xae"
                  "admin)"),
            "if (<U+202E>admin)");
  EXPECT_EQ(shown("a\xe2\x81\xa6"
                  "b\xe2\x81\xa9"),
            "a<U+2066>b<U+2069>");
  EXPECT_EQ(shown("a\xe2\x80\x8b"
                  "b"),
            "a<U+200B>b");
}

TEST(Shown, PlainTextStaysAsItIs) {
  EXPECT_EQ(shown("int\tx; // größer, 大きい, 😀"), "int\tx; // größer, 大きい, 😀");
  EXPECT_EQ(shown_lines("a.c:1:1: error\n  here"), "a.c:1:1: error\n  here");
  EXPECT_EQ(shown(""), "");
}

TEST(Shown, BytesThatAreNoTextAreVisible) {
  EXPECT_EQ(shown("a\xff\xc3"), "a<FF><C3>");
  EXPECT_EQ(shown("\xc0\x9b"), "<C0><9B>") << "a control in too many bytes";
  EXPECT_EQ(shown("\xe0\x80\x9b"), "<E0><80><9B>");
  EXPECT_EQ(shown("\xed\xa0\x80"), "<ED><A0><80>");
  EXPECT_EQ(shown("\xf5\x80\x80\x80"), "<F5><80><80><80>");
}

TEST(Shown, EveryTextOfAReport) {
  RaceReport report;
  ReportRace race;
  race.variable = "\x1b[2J";
  race.accesses.resize(2);
  race.accesses[1].stack.push_back({"\x1b[1m.c", 1, 1, "f\x1b"});
  race.guard.emplace().lock = "m\x1b";
  report.races.push_back(race);
  report.obstacles.push_back({"w\x1b", "x\x1b"});
  report.coverage.failed = {"a\x1b.c"};
  std::string all;
  for (const RaceReport clean = shown(report); const ReportRace& one : clean.races)
    all += one.variable + one.accesses[1].stack[0].file + one.accesses[1].stack[0].function + one.guard->lock +
           clean.obstacles[0].where + clean.obstacles[0].what + clean.coverage.failed[0];
  EXPECT_EQ(all.find('\x1b'), std::string::npos);
  EXPECT_NE(all.find("<U+001B>[2J"), std::string::npos);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::report
