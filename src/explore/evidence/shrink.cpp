// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/evidence/shrink.h"

#include <algorithm>

namespace heddle::explore {
namespace {

using race::Schedule;
using Slices = std::vector<Schedule::Slice>;

bool is_same(const NextOperation& a, const NextOperation& b) { return a.key == b.key && a.in_section == b.in_section; }

/// Slices of one thread that now stand side by side become one.
Slices joined(const Slices& slices) {
  Schedule out;
  for (const Schedule::Slice& slice : slices)
    if (slice.steps > 0) out.run(slice.thread, slice.steps);
  return out.slices;
}

Slices without(Slices slices, std::size_t one) {
  slices.erase(slices.begin() + static_cast<std::ptrdiff_t>(one));
  return joined(slices);
}

/// Slice `from` at the place of slice `to`, which is of the same thread.
Slices moved(const Slices& slices, std::size_t from, std::size_t to) {
  Slices out = slices;
  out[to].steps += out[from].steps;
  out[from].steps = 0;
  return joined(out);
}

class Shrinker {
 public:
  Shrinker(const Subject& subject, ConfirmedRace found, const ShrinkLimits& limits)
      : subject_(subject), best_(std::move(found)), limits_(limits) {
    for (Schedule::Slice& slice : best_.schedule.slices) slice.mark = 0;
    best_.schedule.end_mark = 0;
  }

  ConfirmedRace run() {
    while (may_try() && improve()) {
    }
    return std::move(best_);
  }

 private:
  [[nodiscard]] bool may_try() const {
    return tries_ < limits_.tries && steps_ < limits_.steps && !limits_.stop.is_asked();
  }

  /// True: one of the changes was kept. From the end on: what lies near the race is least often needed elsewhere.
  bool improve() {
    const Slices slices = best_.schedule.slices;
    for (std::size_t i = slices.size(); i-- > 0 && may_try();)
      if (keeps_race(without(slices, i))) return true;
    for (std::size_t later = slices.size(); later-- > 0 && may_try();) {
      const auto earlier = previous(slices, later);
      if (!earlier) continue;
      if (keeps_race(moved(slices, later, *earlier)) || keeps_race(moved(slices, *earlier, later))) return true;
    }
    return false;
  }

  static std::optional<std::size_t> previous(const Slices& slices, std::size_t of) {
    for (std::size_t i = of; i-- > 0;)
      if (slices[i].thread == slices[of].thread) return i;
    return std::nullopt;
  }

  bool keeps_race(const Slices& slices) {
    if (!may_try() || slices.empty()) return false;
    Schedule candidate = best_.schedule;
    candidate.slices = slices;
    ++tries_;
    steps_ += candidate.steps();
    Result<ReplayedRace> race = replay(subject_, candidate);
    if (!race || !is_same(race->first_operation, best_.race.first_operation) ||
        !is_same(race->second_operation, best_.race.second_operation))
      return false;
    best_ = {std::move(candidate), std::move(*race)};
    return true;
  }

  const Subject& subject_;
  ConfirmedRace best_;
  const ShrinkLimits& limits_;
  std::uint32_t tries_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

ConfirmedRace shrink(const Subject& subject, ConfirmedRace found, const ShrinkLimits& limits) {
  return Shrinker(subject, std::move(found), limits).run();
}

Schedule portable(const ConfirmedRace& found) {
  const ReplayedTrace& trace = found.race.trace;
  Schedule out = found.schedule;
  const auto number = [&](std::uint32_t& thread) {
    const auto place = std::ranges::find(trace.created, thread);
    if (thread != 0 && place != trace.created.end())
      thread = static_cast<std::uint32_t>(place - trace.created.begin()) + 1;
  };
  for (std::size_t i = 0; i < out.slices.size(); ++i) {
    number(out.slices[i].thread);
    out.slices[i].mark = i < trace.marks.size() ? trace.marks[i] : 0;
  }
  for (Schedule::Value& value : out.values) number(value.thread);
  number(out.first_thread);
  number(out.second_thread);
  out.end_mark = trace.end_mark;
  return out;
}

}  // namespace heddle::explore
