// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/few_preemptions.h"

#include "explore/interpreted/machine_executor.h"
#include "explore/search/search.h"

namespace heddle::explore {
namespace {

/// All bounds for one input value, as far as the budget goes.
class OneValue {
 public:
  OneValue(const Program& program, const api::ApiModels& models, const FewPreemptionsOptions& options,
           const MachineLimits& limits)
      : program_(program), models_(models), options_(options), executor_(program, models, limits) {}

  FewPreemptionsResult look() {
    FewPreemptionsResult result;
    std::uint64_t unconfirmed = 0, events = 0;
    for (std::uint32_t bound = 0; bound <= options_.most && events < options_.events; ++bound) {
      SearchLimits limits;
      limits.preemption_bound = bound;
      limits.events = options_.events - events;
      const SearchStatistics done = search(executor_, SearchKind::Exhaustive, limits, [&](const Trace&) {
        if (executor_.has_race()) {
          result.race = confirm_path(program_, models_, executor_);
          if (result.race || ++unconfirmed == patience) return false;
        }
        return executor_.instructions() < options_.instructions;
      });
      result.executions += done.executions;
      events += done.events;
      if (result.race || !done.complete || done.left_out == 0) break;
    }
    return result;
  }

  [[nodiscard]] bool depends_on_values() const { return executor_.gaps().contains(input_was_chosen); }

 private:
  static constexpr std::uint64_t patience = 5;
  const Program& program_;
  const api::ApiModels& models_;
  const FewPreemptionsOptions& options_;
  MachineExecutor executor_;
};

}  // namespace

FewPreemptionsResult find_with_few_preemptions(const Program& program, const api::ApiModels& models,
                                               const FewPreemptionsOptions& options) {
  FewPreemptionsResult result;
  for (const std::uint64_t value : {1, 2, 0}) {
    MachineLimits limits;
    limits.events = options.events_in_execution;
    limits.step_instructions = 20'000;
    limits.weakest = false;
    limits.value = value;
    limits.threads = 4;
    OneValue search(program, models, options, limits);
    FewPreemptionsResult found = search.look();
    result.executions += found.executions;
    result.race = std::move(found.race);
    if (result.race || !search.depends_on_values()) break;
  }
  return result;
}

}  // namespace heddle::explore
