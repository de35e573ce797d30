// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/exhaust.h"

#include "explore/interpreted/machine_executor.h"
#include "explore/interpreted/open_ends.h"

namespace heddle::explore {

struct ExhaustionMaker {
  static std::optional<ExhaustionProof> make(const SearchStatistics& statistics, const std::set<std::string>& gaps,
                                             bool saw_race, bool went_to_its_end, std::set<std::string> assumptions) {
    if (!statistics.complete || saw_race || !went_to_its_end || !gaps.empty()) return std::nullopt;
    return ExhaustionProof(statistics.executions, std::move(assumptions));
  }
};

namespace {

std::string list(const std::set<std::string>& gaps) {
  std::string text;
  for (const std::string& gap : gaps) text += (text.empty() ? "" : "; ") + gap;
  return text;
}

}  // namespace

ExhaustResult prove_by_exhaustion(const Program& program, const api::ApiModels& models, const ExhaustOptions& options) {
  const std::set<std::string> open = open_ends(program, models);
  const MachineLimits machine_limits;
  MachineExecutor executor(program, models, machine_limits);
  SearchLimits limits;
  limits.events = options.event_budget;
  ExhaustResult result;
  bool saw_race = false;
  bool within_budget = true;
  std::uint64_t work = 0;
  std::uint64_t unconfirmed = 0;
  result.statistics = search(executor, SearchKind::Optimal, limits, [&](const Trace&) {
    work += executor.path().size() * (1 + executor.path().size() / 32);
    if (executor.has_race()) {
      saw_race = true;
      result.race = confirm_path(program, models, executor);
      return !result.race && ++unconfirmed < options.unconfirmed_races;
    }
    const bool may_prove = open.empty() && executor.gaps().empty() && !saw_race;
    within_budget = executor.instructions() < options.instruction_budget &&
                    work < (may_prove ? options.work : options.work_with_gaps);
    return within_budget;
  });
  std::set<std::string> gaps = executor.gaps();
  gaps.insert(open.begin(), open.end());
  result.proof =
      ExhaustionMaker::make(result.statistics, gaps, saw_race, within_budget, exhaustion_assumptions(program, models));
  if (result.proof || result.race) return result;
  if (saw_race)
    result.why = "clocks saw a race that no replay reached";
  else if (!gaps.empty())
    result.why = list(gaps);
  else
    result.why = "the search did not end within its budget";
  return result;
}

}  // namespace heddle::explore
