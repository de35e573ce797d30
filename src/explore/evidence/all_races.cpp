// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/all_races.h"

#include "explore/search/first_race.h"

namespace heddle::explore {
namespace {

class AllRacesFinder {
 public:
  AllRacesFinder(Subject& subject, const ExhaustOptions& options)
      : subject_(subject),
        options_(options),
        limits_{.tell_sides = options.prune},
        executor_(subject.for_search(limits_)),
        course_(*executor_) {}

  AllRaces run() {
    SearchLimits limits;
    limits.events = options_.event_budget;
    limits.stop = options_.stop;
    const Visitor visit = [&](const Trace&) {
      look_at_execution();
      return true;
    };
    if (options_.prune)
      result_.statistics = pruned_search(course_, *executor_, {}, limits, visit);
    else
      result_.statistics.search = search(course_, SearchKind::Optimal, limits, visit);
    result_.is_complete = result_.statistics.search.complete && gaps_.empty() && executor_->gaps().empty();
    return std::move(result_);
  }

 private:
  void look_at_execution() {
    static_cast<void>(first_race(*executor_, gaps_));
    while (const std::optional<DetectedRace> race = another_race(*executor_, known_)) {
      const AccessPair pair{race->first.deed.key, race->second.deed.key};
      known_.push_back(pair);
      subject_.look_only_for(pair);
      if (auto confirmed = confirm_path(subject_, course_, limits_))
        result_.races.push_back(std::move(*confirmed));
      else
        ++result_.unconfirmed;
      subject_.look_for_all();
    }
  }

  Subject& subject_;
  const ExhaustOptions& options_;
  const ExecutionLimits limits_;
  std::unique_ptr<Executor> executor_;
  Course course_;
  std::set<std::string> gaps_;
  std::vector<AccessPair> known_;
  AllRaces result_;
};

}  // namespace

AllRaces find_all_races(Subject& subject, const ExhaustOptions& options) {
  return AllRacesFinder(subject, options).run();
}

}  // namespace heddle::explore
