// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/all_races.h"

#include <algorithm>

#include "explore/clocks/first_race.h"

namespace heddle::explore {
namespace {

class AllRacesFinder {
 public:
  AllRacesFinder(Subject& subject, const ExhaustOptions& options, std::vector<AccessPair> known)
      : subject_(subject),
        options_(options),
        limits_{.events = options.longest, .tell_sides = options.prune},
        executor_(subject.for_search(limits_)),
        course_(*executor_),
        known_(std::move(known)) {}

  AllRaces run(Share share, std::uint64_t executions) {
    SearchLimits limits;
    limits.executions = executions;
    limits.events = options_.event_budget;
    limits.stop = options_.stop;
    const Visitor visit = [&](const Trace&) {
      look_at_execution();
      return true;
    };
    Sights& sights = result_.sights;
    if (options_.prune) {
      sights.pruning = pruned_search(course_, *executor_, {}, limits, visit, std::move(share), result_.report);
      sights.statistics = sights.pruning.search;
    } else {
      sights.statistics = search(course_, SearchKind::Source, limits, visit, std::move(share), result_.report);
    }
    sights.gaps.insert(executor_->gaps().begin(), executor_->gaps().end());
    return std::move(result_);
  }

 private:
  void look_at_execution() {
    if (result_.sights.counts.threads == 0) result_.sights.counts = shared_counts(*executor_);
    static_cast<void>(first_race(*executor_, result_.sights.gaps));
    std::vector<Bytes> racing;
    while (const std::optional<DetectedRace> race = another_race(*executor_, known_)) {
      if (options_.stop.is_asked()) return;
      result_.sights.saw_race = true;
      std::string words = describe_pair(executor_->words(), *race);
      if (!try_pair({race->first.deed.key, race->second.deed.key})) note_unreached(std::move(words));
      racing.push_back({race->second.deed.address, race->second.deed.size});
    }
    if (racing.empty()) return;
    for (const AccessPair& pair : unordered_pairs(*executor_, racing)) {
      if (options_.stop.is_asked()) return;
      if (std::ranges::none_of(known_, [&](const AccessPair& one) { return one.is(pair.first, pair.second); }))
        try_pair(pair);
    }
  }

  void note_unreached(std::string words) {
    ++result_.sights.unconfirmed;
    if (result_.sights.unreached.empty()) result_.sights.unreached = std::move(words);
  }

  /// Each pair once.
  bool try_pair(const AccessPair& pair) {
    known_.push_back(pair);
    subject_.look_only_for(pair);
    std::optional<ConfirmedRace> confirmed = confirm_path(subject_, course_, limits_);
    subject_.look_for_every_race();
    if (!confirmed) return false;
    result_.races.push_back(std::move(*confirmed));
    return true;
  }

  Subject& subject_;
  const ExhaustOptions& options_;
  const ExecutionLimits limits_;
  std::unique_ptr<Executor> executor_;
  Course course_;
  std::vector<AccessPair> known_;
  AllRaces result_;
};

}  // namespace

AllRaces find_all_races(Subject& subject, const ExhaustOptions& options, Share share, std::uint64_t executions,
                        std::vector<AccessPair> known) {
  return AllRacesFinder(subject, options, std::move(known)).run(std::move(share), executions);
}

}  // namespace heddle::explore
