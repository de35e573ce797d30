// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/shrink.h"

#include <gtest/gtest.h>

#include "explore/evidence/mark.h"
#include "explore/toy_executor.h"

namespace heddle::explore::toy {
namespace HEDDLE_TEST_FILE {

/// Main creates them all.
std::vector<std::string> created(const std::vector<std::string>& others) {
  std::vector<std::string> threads{""};
  for (std::size_t i = 1; i <= others.size(); ++i) threads.front() += "f" + std::to_string(i) + " ";
  threads.insert(threads.end(), others.begin(), others.end());
  return threads;
}

race::Schedule parsed(const ToySubject& subject, const std::string& rest) {
  const Result<race::Schedule> schedule =
      race::parse_schedule("heddle-schedule 1\nprogram " + subject.identity() + "\nthreads 300\n" + rest, "test");
  EXPECT_TRUE(schedule) << schedule.error().message;
  return *schedule;
}

ConfirmedRace replayed(const ToySubject& subject, const std::string& rest) {
  const race::Schedule schedule = parsed(subject, rest);
  const Result<ReplayedRace> race = replay(subject, schedule);
  EXPECT_TRUE(race) << race.error().message;
  return {schedule, race ? *race : ReplayedRace{}};
}

std::string lines_of(const race::Schedule& schedule) {
  const std::string text = to_text(schedule);
  return text.substr(text.find("threads 300\n") + 12);
}

std::string shrunk(const ToySubject& subject, const std::string& rest, const ShrinkLimits& limits = {}) {
  return lines_of(shrink(subject, replayed(subject, rest), limits).schedule);
}

TEST(Shrink, JoinsTheSlicesOfAThread) {
  const ToySubject subject(created({"w0=1 w1=1 S0=1", "w2=1 w3=1 S0=2"}));
  EXPECT_EQ(shrunk(subject, "run 0 2\nrun 1 1\nrun 2 1\nrun 1 1\nrun 2 1\nrace 1 2\n"),
            "run 0 2\nrun 1 2\nrun 2 2\nrace 1 2\n");
}

TEST(Shrink, LeavesOutThreadsThatTheRaceDoesNotNeed) {
  const ToySubject subject(created({"w0=1 S0=1", "S0=2", "w1=1 w2=1"}));
  EXPECT_EQ(shrunk(subject, "run 0 3\nrun 3 1\nrun 1 1\nrun 3 1\nrace 1 2\n"), "run 0 3\nrun 1 1\nrace 1 2\n");
}

TEST(Shrink, KeepsTheSameTwoAccesses) {
  // Without its first step thread 1 would race as well, with its other access.
  const ToySubject subject(created({"S0=1 S0=3", "S0=2"}));
  EXPECT_EQ(shrunk(subject, "run 0 2\nrun 1 1\nrace 1 2\n"), "run 0 2\nrun 1 1\nrace 1 2\n");
}

TEST(Shrink, EndsAtItsLimit) {
  const ToySubject subject(created({"w0=1 w1=1 S0=1", "w2=1 w3=1 S0=2"}));
  const std::string before = "run 0 2\nrun 1 1\nrun 2 1\nrun 1 1\nrun 2 1\nrace 1 2\n";
  EXPECT_EQ(shrunk(subject, before, {.tries = 0}), before);
  EXPECT_EQ(shrunk(subject, before, {.steps = 0}), before);
}

TEST(Portable, MarksWhatWasDone) {
  const ToySubject subject(created({"w0=1 S0=1", "S0=2"}));
  const race::Schedule marked = portable(replayed(subject, "run 0 2\nrun 1 1\nrace 1 2\n"));
  EXPECT_NE(marked.slices[0].mark, 0U);
  EXPECT_NE(marked.slices[0].mark, marked.slices[1].mark);
  EXPECT_TRUE(replay(subject, marked));
  const auto message = [&](const race::Schedule& schedule) {
    const Result<ReplayedRace> race = replay(subject, schedule);
    return race ? std::string("accepted") : race.error().message;
  };
  race::Schedule other = marked;
  other.slices[1].mark ^= 2;
  EXPECT_NE(
      message(other).find("another way than when the schedule was made: thread 1 did something else in its steps 2 "
                          "to 2"),
      std::string::npos)
      << message(other);
  other = marked;
  other.end_mark ^= 2;
  EXPECT_NE(message(other).find("other accesses than before"), std::string::npos) << message(other);
}

TEST(Portable, NumbersThreadsInTheOrderOfTheirCreation) {
  ConfirmedRace found;
  found.schedule.run(0, 2);
  found.schedule.run(5, 1);
  found.schedule.run(3, 1);
  found.schedule.values = {{5, 7}, {0, 8}};
  found.schedule.first_thread = 3;
  found.schedule.second_thread = 5;
  found.race.trace.created = {5, 3};
  const race::Schedule out = portable(found);
  EXPECT_EQ(out.slices[0].thread, 0U);
  EXPECT_EQ(out.slices[1].thread, 1U);
  EXPECT_EQ(out.slices[2].thread, 2U);
  EXPECT_EQ(out.values[0].thread, 1U);
  EXPECT_EQ(out.values[1].thread, 0U);
  EXPECT_EQ(out.first_thread, 2U);
  EXPECT_EQ(out.second_thread, 1U);
}

TEST(Mark, DependsOnTheOrder) {
  Mark there, back, nothing;
  there.add(1);
  there.add(2);
  back.add(2);
  back.add(1);
  EXPECT_NE(there.value(), back.value());
  EXPECT_NE(nothing.value(), 0U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::explore::toy
