// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/few_preemptions.h"

#include "explore/clocks/first_race.h"
#include "explore/search/search.h"

namespace heddle::explore {
namespace {

/// All bounds for one input value, as far as the budget goes.
class OneValue {
 public:
  OneValue(const Subject& subject, const FewPreemptionsOptions& options, const ExecutionLimits& limits)
      : subject_(subject), options_(options), limits_(limits), executor_(subject.for_search(limits)) {}

  FewPreemptionsResult look() {
    FewPreemptionsResult result;
    Course course(*executor_);
    std::uint64_t unconfirmed = 0, events = 0;
    for (std::uint32_t bound = 0; bound <= options_.most && events < options_.events; ++bound) {
      SearchLimits limits;
      limits.preemption_bound = bound;
      limits.stop = options_.stop;
      limits.events = options_.events - events;
      const SearchStatistics done = search(course, SearchKind::Exhaustive, limits, [&](const Trace&) {
        if (first_race(*executor_, subject_.memory_orders(), subject_.looked_for())) {
          result.race = confirm_path(subject_, course, limits_);
          if (result.race || ++unconfirmed == patience) return false;
        }
        return executor_->instructions() < options_.instructions;
      });
      result.executions += done.executions;
      events += done.events;
      if (result.race || !done.complete || done.left_out == 0) break;
    }
    return result;
  }

  [[nodiscard]] bool depends_on_values() const { return executor_->gaps().contains(input_was_chosen); }

 private:
  static constexpr std::uint64_t patience = 5;
  const Subject& subject_;
  const FewPreemptionsOptions& options_;
  const ExecutionLimits& limits_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace

FewPreemptionsResult find_with_few_preemptions(const Subject& subject, const FewPreemptionsOptions& options) {
  FewPreemptionsResult result;
  for (const std::uint64_t value : {1, 2, 0}) {
    ExecutionLimits limits;
    limits.events = options.events_in_execution;
    limits.step_instructions = 20'000;
    limits.weakest = false;
    limits.value = value;
    limits.threads = 4;
    OneValue search(subject, options, limits);
    FewPreemptionsResult found = search.look();
    result.executions += found.executions;
    result.race = std::move(found.race);
    if (result.race || !search.depends_on_values()) break;
  }
  return result;
}

}  // namespace heddle::explore
