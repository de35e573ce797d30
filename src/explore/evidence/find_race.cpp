// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/find_race.h"

#include <algorithm>

#include "explore/search/strategy.h"

namespace heddle::explore {
namespace {

struct Attempt {
  StrategyKind strategy;
  ValuePolicy values;
  std::uint32_t instances;
  std::uint64_t instructions;
};

constexpr std::uint32_t all_instances = 10'000;

/// Few threads and short runs first: most races show there, and a program that creates threads for ever shows little
/// else.
Attempt attempt_number(std::uint64_t n) {
  static constexpr Attempt opening[] = {
      {StrategyKind::Sequential, ValuePolicy::Zero, 2, 100'000},
      {StrategyKind::RoundRobin, ValuePolicy::One, 2, 100'000},
      {StrategyKind::Reverse, ValuePolicy::Candidates, 2, 100'000},
      {StrategyKind::Random, ValuePolicy::Small, 3, 200'000},
      {StrategyKind::Sequential, ValuePolicy::One, 5, 200'000},
      {StrategyKind::RoundRobin, ValuePolicy::Candidates, 5, 200'000},
      {StrategyKind::Sequential, ValuePolicy::Candidates, all_instances, 1'000'000},
      {StrategyKind::Reverse, ValuePolicy::Zero, all_instances, 1'000'000},
  };
  if (n < std::size(opening)) return opening[n];
  static constexpr StrategyKind strategies[] = {StrategyKind::Priorities, StrategyKind::Random,
                                                StrategyKind::Priorities, StrategyKind::Sticky,
                                                StrategyKind::RoundRobin};
  static constexpr ValuePolicy policies[] = {ValuePolicy::Candidates, ValuePolicy::Small, ValuePolicy::One,
                                             ValuePolicy::Random,     ValuePolicy::One,   ValuePolicy::Zero,
                                             ValuePolicy::Small};
  static constexpr std::uint32_t instances[] = {2, 3, 5, all_instances};
  const std::uint64_t length = n < 60 ? 200'000 : n % 16 == 15 ? 5'000'000 : n % 4 == 3 ? 1'000'000 : 200'000;
  return {strategies[n % 5], policies[n % 7], instances[n % 4], length};
}

std::string obstacle_of(const Run& run) {
  for (const interpret::Outcome& ending : run.endings())
    if (ending.kind == interpret::OutcomeKind::Unsupported) return ending.what;
  return {};
}

/// Nothing a scheduler or an input could change: the program never had two threads and asked for nothing.
bool is_settled(const Run& run, const LoggedChooser& chooser) {
  return run.machine().thread_count() == 1 && !chooser.asked_for_values() && !run.was_cut();
}

}  // namespace

FindResult find_race(const Program& program, const api::ApiModels& models, const FindOptions& options) {
  const std::vector<std::uint64_t> candidates = candidate_values(program);
  FindResult result;
  FindStatistics& statistics = result.statistics;
  std::uint64_t spent = 0;
  for (std::uint64_t n = 0; spent < options.instruction_budget; ++n) {
    const Attempt attempt = attempt_number(n);
    LoggedChooser chooser(candidates, attempt.values, options.seed * 1'000'003 + n);
    RunLimits limits;
    limits.instructions = attempt.instructions;
    limits.step_instructions = std::min<std::uint64_t>(20'000, attempt.instructions / 20);
    limits.instances = attempt.instances;
    // Many programs create 10 000 threads before they do anything else; only a few runs can afford that.
    if (n % 8 == 7) limits.threads = 12'000;
    Run run(program, models, limits, chooser, true);
    Strategy strategy(attempt.strategy, options.seed * 7919 + n, 2 + static_cast<std::uint32_t>(n % 3));
    std::uint64_t picks = 0;
    const auto scheduling = [&] { return picks * options.step_cost + run.looks() / options.looks_a_cost; };
    for (; !run.over() && scheduling() < attempt.instructions * 4; ++picks)
      run.step(strategy.pick(run.enabled(), run.last_step_spun()));
    ++statistics.runs;
    statistics.instructions += run.instructions();
    statistics.most_threads = std::max(statistics.most_threads, run.machine().thread_count());
    // A run costs its machine too, however short it is.
    const std::uint64_t cost = run.instructions() + scheduling() + 20'000 +
                               run.machine().thread_count() * options.thread_cost + run.bytes() / options.bytes_a_cost;
    spent += cost;
    if (statistics.obstacle.empty()) statistics.obstacle = obstacle_of(run);
    result.findings.add(program, models, run);
    if (run.race()) {
      result.race = confirm(program, models, run);
      if (result.race) return result;
      ++statistics.unconfirmed;
      spent += cost * options.confirm_cost;
    }
    if (is_settled(run, chooser)) break;
  }
  return result;
}

}  // namespace heddle::explore
