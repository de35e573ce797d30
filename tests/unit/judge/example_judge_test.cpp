// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge of docs/judges.md, whole: both accesses lie in functions that the user listed as single-threaded.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "frontend/scratch_source.h"
#include "pipeline/load.h"
#include "race/build_report.h"
#include "race/judge.h"
#include "scan/scan.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

class SingleThreadedJudge : public race::WarningJudge {
 public:
  SingleThreadedJudge(const Program& program, std::set<std::string> listed)
      : program_(program), listed_(std::move(listed)) {}

  [[nodiscard]] std::string_view name() const override { return "single-threaded"; }

  [[nodiscard]] race::Opinion look_at(const race::Warning& w, race::Evidence& evidence, race::Budget&) override {
    if (!is_listed(w.first, evidence) || !is_listed(w.second, evidence))
      return race::NoOpinion{"an access is outside of the listed functions"};
    return race::Unlikely{"both accesses are in functions listed as single-threaded", -1000};
  }

 private:
  /// The access itself, or a call on the way to it.
  bool is_listed(const race::Access& access, race::Evidence& evidence) const {
    return std::ranges::any_of(evidence.stack(access), [&](const race::CallStep& step) {
      return listed_.contains(race::function_name(program_, step.function));
    });
  }

  const Program& program_;
  std::set<std::string> listed_;
};

TEST(ExampleJudge, DoubtsWhatTheUserListed) {
  const frontend::ScratchFolder folder;
  pipeline::Input input;
  input.sources = {{folder.write("unit.c", R"(#include <pthread.h>
    int a, b;
    static void set_up(void) { a++; }
    static void *worker(void *x) { set_up(); b++; return x; }
    int main(void) { pthread_t s, t; pthread_create(&s, 0, worker, 0); pthread_create(&t, 0, worker, 0); })"),
                    {}}};
  const auto loaded = pipeline::read_input(input);
  const auto models = pipeline::load_models(input, loaded->program);
  scan::Scan scan(loaded->program, *models, {});
  SingleThreadedJudge(loaded->program, {"set_up"}).judge(scan.docket(), scan.evidence());
  for (const ReportRace& race : race::build_report(loaded->program, scan.docket(), scan.evidence()).races)
    EXPECT_EQ(race.verdict, race.variable == "a" ? RaceVerdict::Unlikely : RaceVerdict::Likely) << race.variable;
  EXPECT_GE(scan.docket().cases.size(), 2U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
