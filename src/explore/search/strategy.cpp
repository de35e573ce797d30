// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/strategy.h"

#include <algorithm>

namespace heddle::explore {

namespace {
constexpr std::uint32_t patience = 60;         // steps in a row before a thread counts as spinning
constexpr std::uint64_t assumed_length = 300;  // steps among which the change points lie
}  // namespace

Strategy::Strategy(StrategyKind kind, std::uint64_t seed, std::uint32_t depth) : kind_(kind), random_(seed) {
  if (kind_ != StrategyKind::Priorities) return;
  for (std::uint32_t i = 1; i < depth; ++i) change_points_.push_back(random_() % (seed % 2 == 0 ? assumed_length : 40));
}

std::int64_t& Strategy::priority(ThreadIndex thread) {
  while (priorities_.size() <= thread) priorities_.push_back(static_cast<std::int64_t>(random_() % 1'000'000) + 1);
  return priorities_[thread];
}

ThreadIndex Strategy::next_after(const std::vector<ThreadIndex>& enabled) const {
  const auto next = std::ranges::upper_bound(enabled, last_);
  return last_ == no_thread || next == enabled.end() ? enabled.front() : *next;
}

ThreadIndex Strategy::pick_fresh(const std::vector<ThreadIndex>& enabled) {
  const bool runs_on = std::ranges::binary_search(enabled, last_);
  switch (kind_) {
    case StrategyKind::Sequential: return runs_on ? last_ : enabled.front();
    case StrategyKind::Reverse: return enabled.back();
    case StrategyKind::RoundRobin: return next_after(enabled);
    case StrategyKind::Sticky:
      if (runs_on && random_() % 8 != 0) return last_;
      return enabled[random_() % enabled.size()];
    case StrategyKind::Random: return enabled[random_() % enabled.size()];
    case StrategyKind::Priorities: {
      if (runs_on && std::ranges::find(change_points_, steps_) != change_points_.end()) priority(last_) = --lowest_;
      return *std::ranges::max_element(enabled, {}, [&](ThreadIndex t) { return priority(t); });
    }
  }
  return enabled.front();
}

ThreadIndex Strategy::pick(const std::vector<ThreadIndex>& enabled, bool last_spun) {
  ++steps_;
  ThreadIndex chosen = pick_fresh(enabled);
  if (chosen == last_ && (last_spun || ++in_a_row_ > patience) && enabled.size() > 1) {
    if (kind_ == StrategyKind::Priorities) priority(last_) = --lowest_;
    chosen =
        kind_ == StrategyKind::Reverse || kind_ == StrategyKind::Sequential ? next_after(enabled) : pick_fresh(enabled);
    if (chosen == last_) chosen = next_after(enabled);
  }
  if (chosen != last_) in_a_row_ = 0;
  last_ = chosen;
  return chosen;
}

}  // namespace heddle::explore
