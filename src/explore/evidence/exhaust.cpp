// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/exhaust.h"

#include <algorithm>

#include "explore/clocks/first_race.h"

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

std::string joined(const std::set<std::string>& gaps) {
  std::string text;
  for (const std::string& gap : gaps) text += (text.empty() ? "" : "; ") + gap;
  return text;
}

std::string which(const Sights& sights) { return sights.unreached.empty() ? "" : ": " + sights.unreached; }

/// `write of jobs at pool.c:12 in thread 1`
std::string words_of(const ReportAccess& access) {
  std::string words = access.kind;
  if (!access.path.empty()) words += " of " + access.path;
  if (!access.file.empty()) words += " at " + access.file + ":" + std::to_string(access.line);
  return words + " in " + access.thread;
}

std::string why_undecided(const Sights& sights) {
  if (sights.saw_race) return "clocks saw a race that no replay reached" + which(sights);
  if (sights.saw_disorder) return "clocks saw accesses without an order that no replay showed again" + which(sights);
  if (sights.statistics.diverged)
    return "the same steps did not lead to the same state: the program depends on something that is not controlled";
  return sights.gaps.empty() ? "the search did not end within its budget" : joined(sights.gaps);
}

/// One search through everything, or through a share of it.
class Exhaustion {
 public:
  Exhaustion(const Subject& subject, const ExhaustOptions& options)
      : subject_(subject),
        options_(options),
        limits_{.events = options.longest, .tell_sides = options.prune},
        executor_(subject.for_search(limits_)),
        course_(*executor_),
        orders_count_(subject.memory_orders() != MemoryOrders::SequentiallyConsistent) {
    sights().gaps = subject.open_ends();
  }

  /// `share`: null if all is to be searched, in one piece.
  ExhaustPart run(Share* share, std::uint64_t executions) {
    SearchLimits limits;
    limits.executions = executions;
    limits.events = options_.event_budget;
    limits.stop = options_.stop;
    const Visitor visit = [&](const Trace& trace) { return look_at(trace); };
    if (options_.prune) {
      sights().pruning = share != nullptr
                             ? pruned_search(course_, *executor_, {}, limits, visit, std::move(*share), part_.report)
                             : pruned_search(course_, *executor_, {}, limits, visit);
      sights().statistics = sights().pruning.search;
    } else if (share != nullptr) {
      sights().statistics = search(course_, SearchKind::Source, limits, visit, std::move(*share), part_.report);
    } else {
      sights().statistics = search(course_, SearchKind::Optimal, limits, visit);
    }
    sights().gaps.insert(executor_->gaps().begin(), executor_->gaps().end());
    return std::move(part_);
  }

 private:
  Sights& sights() { return part_.sights; }

  bool look_at(const Trace& trace) {
    sights().work += trace.size() * (1 + trace.size() / 32);
    if (sights().counts.threads == 0) sights().counts = shared_counts(*executor_);
    if (const std::optional<DetectedRace> race = first_race(*executor_, sights().gaps)) {
      sights().saw_race = true;
      return goes_on_without(*race, trace);
    }
    if (orders_count_) {
      note_atomics();
      if (const std::optional<DetectedRace> race = first_race(*executor_, MemoryOrders::AsWritten)) {
        sights().saw_disorder = true;
        return goes_on_without(*race, trace);
      }
      if (first_race(*executor_, MemoryOrders::Guaranteed)) sights().gaps.insert("two accesses may lack an order");
    }
    const bool may_prove = sights().may_prove() && executor_->gaps().empty();
    sights().within_budget = executor_->instructions() < options_.instruction_budget &&
                             sights().work < (may_prove ? options_.work : options_.work_with_gaps);
    return sights().within_budget;
  }

  /// A race that no replay shows again is no reason to end. Replays know no waits that end without a signal.
  bool goes_on_without(const DetectedRace& race, const Trace& trace) {
    std::string words = describe_pair(executor_->words(), race);
    const auto wakes_alone = [](const Event& event) { return event.operation == Operation::WakeAlone; };
    if (std::ranges::any_of(trace.events(), wakes_alone)) words += ", behind a wait that ended without a signal";
    part_.race = confirm_path(subject_, course_, limits_);
    if (!part_.race && sights().unreached.empty()) sights().unreached = std::move(words);
    return !part_.race && ++sights().unconfirmed < options_.unconfirmed_races;
  }

  void note_atomics() {
    for (std::size_t i = 0; i < executor_->steps(); ++i)
      for (const Deed& deed : executor_->deeds_of(i))
        if (is_atomic(deed.kind)) sights().add_atomic(deed.address, deed.size);
  }

  const Subject& subject_;
  const ExhaustOptions& options_;
  const ExecutionLimits limits_;
  std::unique_ptr<Executor> executor_;
  Course course_;
  bool orders_count_;
  ExhaustPart part_;
};

}  // namespace

std::string describe_pair(Words& words, const DetectedRace& race) {
  return words_of(words.describe_made(race.first.deed)) + ", " + words_of(words.describe_made(race.second.deed));
}

ExhaustPart exhaust_share(const Subject& subject, const ExhaustOptions& options, Share share,
                          std::uint64_t executions) {
  return Exhaustion(subject, options).run(&share, executions);
}

ExhaustResult conclude(Sights sights, bool is_whole, std::set<std::string> assumptions) {
  ExhaustResult result;
  result.statistics = sights.statistics;
  result.statistics.complete = is_whole && !sights.statistics.diverged;
  result.pruning = sights.pruning;
  result.counts = sights.counts;
  if (sights.pruning.yes > 0) assumptions.insert("defined-elsewhere");
  result.proof = ExhaustionChecker::check(result.statistics, sights.gaps, sights.saw_race || sights.saw_disorder,
                                          sights.within_budget, std::move(assumptions));
  if (!result.proof) result.why = why_undecided(sights);
  return result;
}

ExhaustResult prove_by_exhaustion(const Subject& subject, const ExhaustOptions& options) {
  ExhaustPart all = Exhaustion(subject, options).run(nullptr, UINT64_MAX);
  const bool saw_others = all.sights.saw_race || all.sights.saw_disorder;
  const bool may_prove = all.sights.may_prove();
  const bool is_whole = all.sights.statistics.complete;
  const bool states_may_do =
      !all.sights.statistics.diverged && std::ranges::all_of(all.sights.gaps, [](const auto& gap) {
        return gap == cut_at_limit || gap == input_was_chosen || gap == several_choices || gap == lock_set_up_late;
      });
  ExhaustResult result = conclude(std::move(all.sights), is_whole, subject.assumptions());
  result.race = std::move(all.race);
  result.is_unfinished = !result.proof && !result.race && !saw_others && states_may_do;
  if (result.race) result.why.clear();
  if (!result.why.empty() && saw_others && subject.looked_for())
    result.why = "there are other races, and what lies behind them is not certain";
  if (!result.why.empty() && may_prove && options.stop.is_asked())
    result.why = "the search ended early: " + options.stop.why();
  return result;
}

}  // namespace heddle::explore
