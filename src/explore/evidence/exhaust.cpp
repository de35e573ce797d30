// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/exhaust.h"

#include <algorithm>

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

/// One search through everything, and what it came to.
class Exhaustion {
 public:
  Exhaustion(const Subject& subject, const ExhaustOptions& options)
      : subject_(subject),
        options_(options),
        limits_{.tell_sides = options.prune},
        executor_(subject.for_search(limits_)),
        course_(*executor_),
        orders_count_(subject.memory_orders() != MemoryOrders::SequentiallyConsistent),
        gaps_(subject.open_ends()) {}

  ExhaustResult run() {
    SearchLimits limits;
    limits.events = options_.event_budget;
    limits.stop = options_.stop;
    const Visitor visit = [&](const Trace& trace) { return look_at(trace); };
    if (options_.prune) {
      result_.pruning = pruned_search(course_, *executor_, {}, limits, visit);
      result_.statistics = result_.pruning.search;
    } else {
      result_.statistics = search(course_, SearchKind::Optimal, limits, visit);
    }
    gaps_.insert(executor_->gaps().begin(), executor_->gaps().end());
    std::set<std::string> assumptions = subject_.assumptions();
    if (result_.pruning.yes > 0) assumptions.insert("defined-elsewhere");
    result_.proof = ExhaustionChecker::check(result_.statistics, gaps_, saw_race_ || saw_disorder_, within_budget_,
                                             std::move(assumptions));
    if (!result_.proof && !result_.race) result_.why = why();
    return std::move(result_);
  }

 private:
  bool look_at(const Trace& trace) {
    work_ += trace.size() * (1 + trace.size() / 32);
    if (result_.counts.threads == 0) result_.counts = shared_counts(*executor_);
    if (first_race(*executor_, gaps_)) {
      saw_race_ = true;
      return goes_on_without_race();
    }
    if (orders_count_) {
      note_atomics();
      if (first_race(*executor_, MemoryOrders::AsWritten)) {
        saw_disorder_ = true;
        return goes_on_without_race();
      }
      if (first_race(*executor_, MemoryOrders::Guaranteed)) gaps_.insert("two accesses may lack an order");
    }
    const bool may_prove = gaps_.empty() && executor_->gaps().empty() && !saw_race_ && !saw_disorder_;
    within_budget_ = executor_->instructions() < options_.instruction_budget &&
                     work_ < (may_prove ? options_.work : options_.work_with_gaps);
    return within_budget_;
  }

  bool goes_on_without_race() {
    result_.race = confirm_path(subject_, course_, limits_);
    return !result_.race && ++unconfirmed_ < options_.unconfirmed_races;
  }

  void note_atomics() {
    for (std::size_t i = 0; i < executor_->steps(); ++i)
      for (const Deed& deed : executor_->deeds_of(i))
        if (is_atomic(deed.kind)) atomics_.insert({deed.address, deed.size});
    if (atomics_.size() > 1)
      gaps_.insert("several atomic objects, and accesses to them that are weaker than sequential consistency");
  }

  [[nodiscard]] std::string why() const {
    if ((saw_race_ || saw_disorder_) && subject_.looked_for())
      return "there are other races, and what lies behind them is not certain";
    if (saw_race_) return "clocks saw a race that no replay reached";
    if (saw_disorder_) return "clocks saw accesses without an order that no replay showed again";
    if (!gaps_.empty()) return list(gaps_);
    return options_.stop.is_asked() ? "the search ended early: " + options_.stop.why()
                                    : "the search did not end within its budget";
  }

  const Subject& subject_;
  const ExhaustOptions& options_;
  const ExecutionLimits limits_;
  std::unique_ptr<Executor> executor_;
  Course course_;
  bool orders_count_;
  std::set<std::string> gaps_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> atomics_;  ///< address and size
  ExhaustResult result_;
  std::uint64_t work_ = 0, unconfirmed_ = 0;
  bool saw_race_ = false, saw_disorder_ = false, within_budget_ = true;
};

}  // namespace

ExhaustResult prove_by_exhaustion(const Subject& subject, const ExhaustOptions& options) {
  return Exhaustion(subject, options).run();
}

ExhaustResult prove_in_turns(const Subject& subject, const ExhaustOptions& options) {
  constexpr std::uint64_t first = 20'000, more = 8;
  ExhaustOptions turn = options;
  for (std::uint64_t events = first;; events *= more)
    for (const bool prune : {true, false}) {
      turn.prune = prune;
      turn.event_budget = std::min(events, options.event_budget);
      ExhaustResult result = prove_by_exhaustion(subject, turn);
      const bool is_settled = result.race || result.proof || result.statistics.complete;
      const bool is_last = !prune && events >= options.event_budget;
      if (is_settled || is_last || options.stop.is_asked()) return result;
    }
}

}  // namespace heddle::explore
