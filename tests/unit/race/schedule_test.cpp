// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/schedule.h"

#include <gtest/gtest.h>

namespace heddle::race {
namespace HEDDLE_TEST_FILE {

Schedule sample() {
  Schedule schedule;
  schedule.program = "4a5f90";
  schedule.sources = {"count.c", "dir with space/other.c"};
  schedule.flags = {"-DN=2", "-I include"};
  schedule.data_model = "ILP32";
  schedule.values = {{1, 7}, {0, ~std::uint64_t{0}}};
  schedule.run(0, 12);
  schedule.run(1);
  schedule.run(1, 2);
  schedule.first_thread = 0;
  schedule.second_thread = 1;
  return schedule;
}

TEST(Schedule, IsReadBackAsWritten) {
  const Result<Schedule> again = parse_schedule(to_text(sample()), "s");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, sample());
  EXPECT_EQ(again->slices.size(), 2U);
  EXPECT_EQ(again->steps(), 15U);
}

TEST(Schedule, MayEndInAPairWithoutOrder) {
  Schedule schedule = sample();
  schedule.ending = Schedule::Ending::Unordered;
  schedule.profiles = {"no-sv-comp"};
  const Result<Schedule> again = parse_schedule(to_text(schedule), "s");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, schedule);
}

TEST(Schedule, OfARealProgramIsReadBackAsWritten) {
  Schedule schedule = sample();
  schedule.is_native = true;
  schedule.seal = "5d41";
  schedule.project = ".heddle";
  schedule.target = "bin/a server";
  schedule.hooks_all = true;
  schedule.tells_ways = true;
  schedule.input = " data";
  schedule.arguments = {"-n", "", " two words ", "a\nb\\n", "\t", "end\r"};
  schedule.slices[1].mark = 0x8f00b204e9800998;
  schedule.end_mark = 1;
  const Result<Schedule> again = parse_schedule(to_text(schedule), "s");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(*again, schedule);
}

TEST(Schedule, MayHaveCommentsAndEmptyLines) {
  const Result<Schedule> schedule = parse_schedule("heddle-schedule 1\r\n\n# by hand\nrun 0 1\n  race 0 2  \n", "s");
  ASSERT_TRUE(schedule) << schedule.error().message;
  EXPECT_EQ(schedule->second_thread, 2U);
}

TEST(Schedule, SaysWhatIsWrongAndWhere) {
  const auto message = [](std::string_view text) {
    const Result<Schedule> schedule = parse_schedule(text, "file");
    return schedule ? std::string("accepted") : schedule.error().message;
  };
  EXPECT_EQ(message(""), "file:1: the file is empty; a schedule begins with 'heddle-schedule 1'");
  EXPECT_EQ(message("int main;"), "file:1: this is no schedule: it does not begin with 'heddle-schedule 1'");
  EXPECT_EQ(message("heddle-schedule 9\n"), "file:1: schedule version '9' is not known; this heddle reads version 1");
  EXPECT_EQ(message("heddle-schedule 1\nrun 0\n"), "file:2: 'run' takes a thread and a number of steps");
  EXPECT_EQ(message("heddle-schedule 1\nrun -1 4\n"), "file:2: 'run' takes a thread and a number of steps");
  EXPECT_EQ(message("heddle-schedule 1\nrun 0 4 g\n"), "file:2: 'run' takes a thread and a number of steps");
  EXPECT_EQ(message("heddle-schedule 1\nrun 0 4 0\n"), "file:2: 'run' takes a thread and a number of steps");
  EXPECT_EQ(message("heddle-schedule 1\nrace 0 1 2 3\n"), "file:2: 'race' takes two threads");
  EXPECT_EQ(message("heddle-schedule 1\nwalk 0 1\n"), "file:2: 'walk' is no item of a schedule");
  EXPECT_EQ(message("heddle-schedule 1\ndata-model ILP64\n"), "file:2: the data model is ILP32 or LP64");
  EXPECT_EQ(
      message("heddle-schedule 1\nrun 0 1\n"),
      "file:2: the schedule ends without its 'race' line (or 'unordered', 'fails', 'deadlock', 'triple', 'in-steps')");
  EXPECT_EQ(message("heddle-schedule 1\nrace 0 1\nrun 0 1\n"),
            "file:3: nothing may follow the 'race' line (or 'unordered', 'fails', 'deadlock', 'triple', 'in-steps')");
}

TEST(Schedule, OfTasksAndInterruptsIsReadBackAsWritten) {
  using Kind = Schedule::Turn::Kind;
  Schedule schedule;
  schedule.sources = {"a b.c"};
  schedule.models = {"heddle.toml"};
  schedule.oil = "my app.oil";
  schedule.turns = {{Kind::Raise, 0, "task"}, {Kind::Take, 5},   {Kind::Raise, 6, "ns::isr(int, char)"},
                    {Kind::GoOn, 13, "", 0},  {Kind::Pause, 14}, {Kind::GoOn, 15},
                    {Kind::Pass, 3},          {Kind::Take, 4}};
  schedule.triple = "x/y<R#5>,<W#13>,<R#6>";
  for (const bool is_in_steps : {false, true}) {
    schedule.is_in_steps = is_in_steps;
    schedule.ending = Schedule::Ending::Triple;
    const Result<Schedule> again = parse_schedule(to_text(schedule), "s");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, schedule);
  }
}

TEST(Schedule, SaysWhatIsWrongWithATurn) {
  const auto message = [](const std::string& line) {
    const Result<Schedule> schedule = parse_schedule("heddle-schedule 1\n" + line + "\n", "file");
    return schedule ? std::string("accepted") : schedule.error().message;
  };
  EXPECT_EQ(message("raise isr"), "file:2: 'raise' takes the number of a line");
  EXPECT_EQ(message("raise 6"), "file:2: 'raise' takes the number of a line and an entry");
  EXPECT_EQ(message("go 6 seven"), "file:2: 'go' takes the number of a line, and what is asked for there");
  EXPECT_EQ(message("go 6 -7"), "file:2: 'go' takes the number of a line, and what is asked for there");
  EXPECT_EQ(message("take 6 7"), "file:2: 'take' takes the number of a line and nothing else");
  EXPECT_EQ(message("triple"), "file:2: 'triple' takes a triple");
  EXPECT_EQ(message("triple x\ngo 1"),
            "file:3: nothing may follow the 'race' line (or 'unordered', 'fails', "
            "'deadlock', 'triple', 'in-steps')");
}

TEST(Schedule, CannotBeReadFromNowhere) { EXPECT_FALSE(read_schedule("no such file")); }

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::race
