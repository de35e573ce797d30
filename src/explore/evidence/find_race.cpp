// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/find_race.h"

#include <algorithm>

#include "explore/evidence/attempt.h"
#include "explore/search/strategy.h"

namespace heddle::explore {
namespace {

std::string obstacle_of(Run& run) {
  const std::span<const EndingKind> avoided = run.executor().avoided();
  const auto first = std::ranges::find(avoided, EndingKind::Unsupported);
  if (first == avoided.end()) return {};
  return run.executor().words().avoided()[static_cast<std::size_t>(first - avoided.begin())].what;
}

/// Nothing a scheduler or an input could change: the program never had two threads and asked for nothing.
bool is_settled(const Run& run, const PolicyInputs& inputs) {
  return run.executor().thread_count() == 1 && !inputs.asked_for_values() && !run.was_cut();
}

class Finder {
 public:
  Finder(const Subject& subject, const FindOptions& options)
      : subject_(subject), options_(options), candidates_(subject.candidate_values()) {}

  FindResult find() {
    std::uint64_t spent = 0;
    for (std::uint64_t n = 0; spent < options_.instruction_budget || n < options_.fewest_runs; ++n) {
      if (options_.stop.is_asked("looking for a race in runs", spent, options_.instruction_budget)) break;
      const Attempt attempt = attempt_number(n, options_.length);
      PolicyInputs inputs(candidates_, attempt.values, options_.seed * 1'000'003 + n);
      Run run(subject_, limits_of(attempt, n), inputs);
      const std::uint64_t cost = run_to_end(run, attempt, n);
      spent += cost;
      if (run.race() || run.race_by_order()) {
        result_.race = confirm(subject_, run);
        if (result_.race) break;
        ++result_.statistics.unconfirmed;
        spent += cost * options_.confirm_cost;
      }
      if (is_settled(run, inputs)) break;
    }
    return std::move(result_);
  }

 private:
  /// What it cost.
  std::uint64_t run_to_end(Run& run, const Attempt& attempt, std::uint64_t n) {
    Strategy strategy(attempt.strategy, options_.seed * 7919 + n, 2 + static_cast<std::uint32_t>(n % 3));
    std::uint64_t picks = 0;
    const auto scheduling = [&] { return picks * options_.step_cost + run.looks() / options_.looks_a_cost; };
    for (; !run.over() && scheduling() < attempt.instructions * 4; ++picks) {
      if (picks % 64 == 63 && options_.stop.is_asked()) break;
      run.step(strategy.pick(run.enabled(), run.last_step_spun()));
    }
    FindStatistics& statistics = result_.statistics;
    const std::size_t threads = run.executor().thread_count();
    ++statistics.runs;
    statistics.instructions += run.instructions();
    statistics.most_threads = std::max(statistics.most_threads, threads);
    // A run costs its executor too, however short it is.
    const std::uint64_t cost = run.instructions() + scheduling() + 20'000 + threads * options_.thread_cost +
                               run.bytes() / options_.bytes_a_cost;
    if (statistics.obstacle.empty()) statistics.obstacle = obstacle_of(run);
    result_.findings.add(subject_, run);
    return cost;
  }

  const Subject& subject_;
  const FindOptions& options_;
  std::vector<std::uint64_t> candidates_;
  FindResult result_;
};

}  // namespace

FindResult find_race(const Subject& subject, const FindOptions& options) { return Finder(subject, options).find(); }

}  // namespace heddle::explore
