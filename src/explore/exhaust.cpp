// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/exhaust.h"

#include "explore/machine_executor.h"

namespace heddle::explore {

struct ExhaustionMaker {
  static std::optional<ExhaustionProof> make(const SearchStatistics& statistics, const MachineExecutor& executor,
                                             bool saw_race, bool went_to_its_end) {
    if (!statistics.complete || saw_race || !went_to_its_end || !executor.gaps().empty()) return std::nullopt;
    return ExhaustionProof(statistics.executions);
  }
};

namespace {

/// Runs the path again with a log, and drives it to the race.
std::optional<ConfirmedRace> confirm_path(const Program& program, const api::ApiModels& models,
                                          const std::vector<ThreadIndex>& path, const MachineLimits& limits) {
  const std::vector<std::uint64_t> candidates{0};
  LoggedChooser chooser(candidates, ValuePolicy::Zero, 1);
  RunLimits run_limits;
  run_limits.instructions = 100'000'000;
  run_limits.step_instructions = limits.step_instructions;
  Run run(program, models, run_limits, chooser, true);
  for (const ThreadIndex thread : path) {
    if (run.over()) break;
    run.step(thread);
  }
  if (!run.race()) return std::nullopt;
  return confirm(program, models, run);
}

std::string list(const std::set<std::string>& gaps) {
  std::string text;
  for (const std::string& gap : gaps) text += (text.empty() ? "" : "; ") + gap;
  return text;
}

}  // namespace

ExhaustResult prove_by_exhaustion(const Program& program, const api::ApiModels& models, const ExhaustOptions& options) {
  const MachineLimits machine_limits;
  MachineExecutor executor(program, models, machine_limits);
  SearchLimits limits;
  limits.events = options.event_budget;
  ExhaustResult result;
  bool saw_race = false;
  bool within_budget = true;
  std::uint64_t executions = 0;
  result.statistics = search(executor, SearchKind::Optimal, limits, [&](const Trace&) {
    ++executions;
    if (executor.has_race()) {
      saw_race = true;
      result.race = confirm_path(program, models, executor.path(), machine_limits);
      return false;
    }
    within_budget = executor.instructions() < options.instruction_budget &&
                    (executor.gaps().empty() || executions < options.executions_with_gaps);
    return within_budget;
  });
  result.proof = ExhaustionMaker::make(result.statistics, executor, saw_race, within_budget);
  if (result.proof || result.race) return result;
  if (saw_race)
    result.why = "clocks saw a race that no replay reached";
  else if (!executor.gaps().empty())
    result.why = list(executor.gaps());
  else
    result.why = "the search did not end within its budget";
  return result;
}

}  // namespace heddle::explore
