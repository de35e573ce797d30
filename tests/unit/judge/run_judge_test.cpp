// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the running program shows becomes opinions: confirmed, or not reached; never refuted.
#include "judge/run/run_judge.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "frontend/scratch_source.h"
#include "pipeline/load.h"
#include "race/build_report.h"
#include "scan/scan.h"

namespace heddle::judge {
namespace HEDDLE_TEST_FILE {

class RunJudgeTest : public testing::Test {
 protected:
  RunJudgeTest() {
    input_.sources = {{folder_.write("unit.c", R"(#include <pthread.h>
      int a, b;
      static void *worker(void *x) { a = 1; b = 1; return x; }
      int main(void) { pthread_t s, t; pthread_create(&s, 0, worker, 0); pthread_create(&t, 0, worker, 0); })"),
                       {}}};
    loaded_ = *pipeline::read_input(input_);
    models_ = *pipeline::load_models(input_, loaded_->program);
    scan_.emplace(loaded_->program, *models_, scan::ScanOptions{});
  }

  RaceReport judged(const HuntPairs& hunt) {
    RunJudge(loaded_->program, hunt).judge(scan_->docket(), scan_->evidence());
    return race::build_report(loaded_->program, scan_->docket(), scan_->evidence());
  }

  static explore::AnsweredRace race_of(std::uint64_t first, std::uint64_t second) {
    explore::AnsweredRace race;
    race.first_access = first;
    race.second_access = second;
    race.variable = "v";
    race.accesses.resize(2);
    race.accesses[0].kind = race.accesses[1].kind = "write";
    return race;
  }

  frontend::ScratchFolder folder_;
  pipeline::Input input_;
  std::optional<pipeline::Loaded> loaded_;
  std::optional<api::ApiModels> models_;
  std::optional<scan::Scan> scan_;
};

TEST_F(RunJudgeTest, ConfirmsWhatWasFoundAndSaysWhatWasNotReached) {
  const RaceReport report = judged([](const std::vector<IdPair>& pairs) {
    EXPECT_EQ(pairs.size(), 2U);
    return HuntReport{{race_of(pairs[0].second.value, pairs[0].first.value)}, {2, 1}, {"a thread was stopped"}};
  });
  ASSERT_EQ(report.races.size(), 2U);
  EXPECT_EQ(report.races[0].verdict, RaceVerdict::Confirmed);
  EXPECT_EQ(report.races[0].judge, "explore");
  EXPECT_EQ(report.races[0].grade, "replay");
  EXPECT_EQ(report.races[1].verdict, RaceVerdict::Likely);
  EXPECT_EQ(report.races[1].reasons.back(), "not reached by this run: one of the two accesses was not made");
  ASSERT_EQ(report.obstacles.size(), 1U);
  EXPECT_EQ(report.obstacles[0].what, "running it: a thread was stopped");
}

TEST_F(RunJudgeTest, RacesThatNobodyWarnedOfAreListed) {
  const RaceReport report = judged([](const std::vector<IdPair>&) { return HuntReport{{race_of(1, 2)}, {}, {}}; });
  ASSERT_EQ(report.races.size(), 3U);
  EXPECT_EQ(report.races[0].verdict, RaceVerdict::Confirmed);
  EXPECT_EQ(report.races[0].variable, "v");
  EXPECT_EQ(report.races[1].verdict, RaceVerdict::Likely);
  EXPECT_EQ(report.races[1].reasons.back(), "not reached by this run");
}

TEST_F(RunJudgeTest, RefutesNothing) {
  const RaceReport report = judged([](const std::vector<IdPair>&) { return HuntReport{}; });
  EXPECT_TRUE(
      std::ranges::none_of(report.races, [](const ReportRace& r) { return r.verdict == RaceVerdict::Refuted; }));
  EXPECT_EQ(report.verdict, Verdict::Unknown);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::judge
