// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/exhaust.h"

#include "explore/search/first_race.h"

namespace heddle::explore {

namespace {

struct ExhaustionChecker : race::ProofChecker {
  static std::optional<race::Proof> check(const SearchStatistics& statistics, const std::set<std::string>& gaps,
                                          bool saw_race, bool went_to_its_end, std::set<std::string> assumptions) {
    if (!statistics.complete || saw_race || !went_to_its_end || !gaps.empty()) return std::nullopt;
    return accept(race::Proof::Form::Exhaustion, "no execution has it: all were looked at", std::move(assumptions),
                  statistics.executions);
  }
};

std::string list(const std::set<std::string>& gaps) {
  std::string text;
  for (const std::string& gap : gaps) text += (text.empty() ? "" : "; ") + gap;
  return text;
}

}  // namespace

ExhaustResult prove_by_exhaustion(const Subject& subject, const ExhaustOptions& options) {
  const std::set<std::string> open = subject.open_ends();
  const ExecutionLimits execution_limits;
  const std::unique_ptr<Executor> executor = subject.for_search(execution_limits);
  Course course(*executor);
  SearchLimits limits;
  limits.events = options.event_budget;
  ExhaustResult result;
  std::set<std::string> gaps = open;
  bool saw_race = false, saw_disorder = false;
  const bool orders_count = subject.memory_orders() == MemoryOrders::AsWritten;
  bool within_budget = true;
  std::uint64_t work = 0;
  std::uint64_t unconfirmed = 0;
  result.statistics = search(course, SearchKind::Optimal, limits, [&](const Trace& trace) {
    work += trace.size() * (1 + trace.size() / 32);
    if (first_race(*executor, gaps)) {
      saw_race = true;
      result.race = confirm_path(subject, course, execution_limits);
      return !result.race && ++unconfirmed < options.unconfirmed_races;
    }
    if (orders_count && first_race(*executor, MemoryOrders::AsWritten)) {
      saw_disorder = true;
      result.race = confirm_path(subject, course, execution_limits);
      return !result.race && ++unconfirmed < options.unconfirmed_races;
    }
    const bool may_prove = gaps.empty() && executor->gaps().empty() && !saw_race;
    within_budget = executor->instructions() < options.instruction_budget &&
                    work < (may_prove ? options.work : options.work_with_gaps);
    return within_budget;
  });
  gaps.insert(executor->gaps().begin(), executor->gaps().end());
  result.proof = ExhaustionChecker::check(result.statistics, gaps, saw_race || saw_disorder, within_budget, subject.assumptions());
  if (result.proof || result.race) return result;
  if (saw_race || saw_disorder)
    result.why = saw_race ? "clocks saw a race that no replay reached"
                          : "clocks saw accesses without an order that no replay showed again";
  else if (!gaps.empty())
    result.why = list(gaps);
  else
    result.why = "the search did not end within its budget";
  return result;
}

}  // namespace heddle::explore
