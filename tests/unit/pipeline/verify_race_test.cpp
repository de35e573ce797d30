// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/verify_race.h"

#include <gtest/gtest.h>

#include <map>

#include "frontend/scratch_source.h"
#include "pipeline/scan.h"

namespace heddle::pipeline {
namespace HEDDLE_TEST_FILE {

/// Races of a scan on one variable, each decided alone.
class VerifyRace : public ::testing::Test {
 protected:
  explicit VerifyRace(const std::string& text) {
    input_.sources = {{folder_.write("unit.c", "#include <pthread.h>\n" + text), {}}};
  }

  Result<RaceReport> decide(const std::string& id) {
    VerifyOptions options;
    options.race = id;
    return verify(input_, options);
  }

  /// The verdicts of all races by variable; the worst counts: race, unknown, race-free.
  std::map<std::string, Verdict> verdicts() {
    std::map<std::string, Verdict> out;
    ScanOptions options;
    options.keep_summaries = false;
    const auto suspected = scan(input_, options);
    for (const ReportRace& race : suspected->report.races) {
      const auto report = decide(race.id);
      EXPECT_TRUE(report.has_value());
      EXPECT_EQ(report->only_race, race.id);
      const auto [known, is_new] = out.try_emplace(race.variable, report->verdict);
      if (!is_new && report->verdict == Verdict::Race) known->second = Verdict::Race;
      for (const ReportRace& told : report->races) EXPECT_EQ(told.variable, race.variable);
    }
    return out;
  }

  frontend::ScratchFolder folder_;
  Input input_;
};

class ManyRaces : public VerifyRace {
 protected:
  ManyRaces()
      : VerifyRace(R"(
int first, second, flag, never, off;
static void *work(void *a) {
  first = 1;
  if (off) never = 1;
  if (flag) second = 1;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  first = 2;
  never = 2;
  flag = 1;
  second = 2;
  return 0;
})") {}
};

TEST_F(ManyRaces, EachIsDecidedAlone) {
  const std::map<std::string, Verdict> expected = {
      {"first", Verdict::Race}, {"flag", Verdict::Race}, {"second", Verdict::Race}, {"never", Verdict::RaceFree}};
  EXPECT_EQ(verdicts(), expected);
}

TEST_F(ManyRaces, AnIdThatNobodyHasIsBadInput) {
  const auto report = decide("none");
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message.find("no race has the ID 'none'"), std::string::npos);
}

class OneLineOfTwo : public VerifyRace {
 protected:
  OneLineOfTwo()
      : VerifyRace(R"(
int x;
static void *work(void *a) {
  x = 1;
  x = 2;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 3;
  return 0;
})") {}
};

/// Both are in one epoch of the thread, and the second is found too.
TEST_F(OneLineOfTwo, BothWritesAreShown) {
  ScanOptions options;
  options.keep_summaries = false;
  const auto suspected = scan(input_, options);
  ASSERT_EQ(suspected->report.races.size(), 2U);
  for (const ReportRace& race : suspected->report.races) {
    const auto report = decide(race.id);
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->verdict, Verdict::Race);
    ASSERT_EQ(report->races.size(), 1U);
    EXPECT_EQ(report->races[0].id, race.id);
  }
}

class PublishedWithoutOrder : public VerifyRace {
 protected:
  PublishedWithoutOrder()
      : VerifyRace(R"(
int data, other, ready;
static void *work(void *a) {
  other = 1;
  data = 1;
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  other = 2;
  if (__atomic_load_n(&ready, __ATOMIC_RELAXED)) data = 2;
  return 0;
})") {}
};

/// No interleaving has both threads at `data` at once.
TEST_F(PublishedWithoutOrder, WhatNothingOrdersIsShown) {
  const std::map<std::string, Verdict> expected = {{"data", Verdict::Race}, {"other", Verdict::Race}};
  EXPECT_EQ(verdicts(), expected);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::pipeline
