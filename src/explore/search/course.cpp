// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/search/course.h"

#include <algorithm>

#include "explore/executor/adjacent.h"

namespace heddle::explore {

void Course::restart() {
  executor_.restart();
  spin_.rewind(0);
  path_.clear();
  before_.clear();
  spinning_.clear();
  adjacent_ = false;
}

void Course::rewind(std::size_t length) {
  if (length >= path_.size()) return;
  for (std::size_t i = length; i < path_.size(); ++i)
    if (before_[i].stops) std::erase(spinning_, path_[i]);
  adjacent_ = before_[length].adjacent;
  executor_.rewind(length);
  spin_.rewind(length);
  path_.resize(length);
  before_.resize(length);
}

bool Course::spins(ThreadIndex thread) const { return std::ranges::find(spinning_, thread) != spinning_.end(); }

std::vector<ThreadIndex> Course::enabled() const {
  std::vector<ThreadIndex> threads = executor_.enabled();
  if (!spinning_.empty()) std::erase_if(threads, [&](ThreadIndex thread) { return spins(thread); });
  return threads;
}

std::vector<Event> Course::blocked() const {
  std::vector<Event> waiting = executor_.blocked();
  if (!spinning_.empty()) std::erase_if(waiting, [&](const Event& event) { return spins(event.thread); });
  return waiting;
}

Event Course::step(ThreadIndex thread, std::uint32_t choice) { return step(thread, choice, nullptr); }

bool Course::repeat(const Event& event) {
  const std::vector<ThreadIndex> threads = enabled();  // which waits for what comes from outside
  if (stopped() || std::ranges::find(threads, event.thread) == threads.end()) return false;
  return step(event.thread, event.choice, &event).touches == event.touches;
}

/// `before`: how it was made before; null: it was not.
Event Course::step(ThreadIndex thread, std::uint32_t choice, const Event* before) {
  path_.push_back(thread);
  before_.push_back({.adjacent = adjacent_});
  Event event = executor_.step(thread, choice);
  if (event.end != StepEnd::Stopped) {
    spin_.skip(thread);
  } else {
    event.spun = spin_.went_round(executor_, event);
  }
  if (before != nullptr) event.spun = before->spun;
  if (event.spun) {
    spinning_.push_back(thread);
    before_.back().stops = true;
  }
  if (looks_ && !adjacent_) look_for_adjacent();
  return event;
}

void Course::look_for_adjacent() {
  std::vector<Approach> approaches;
  for (const ThreadIndex thread : enabled()) approaches.push_back(approach_of(executor_, thread));
  for (std::size_t i = 0; i < approaches.size(); ++i)
    for (std::size_t j = i + 1; j < approaches.size(); ++j)
      if (racing_bytes(approaches[i], approaches[j]).size != 0) adjacent_ = true;
}

/// The execution was not cut, and no thread stands in front of the program's end or was halted there.
bool Course::may_hang() const {
  if (stopped()) return false;
  for (ThreadIndex t = 0; t < executor_.thread_count(); ++t) {
    const Standing standing = executor_.standing(t);
    if (standing == Standing::AtEnd || standing == Standing::Halted) return false;
  }
  return enabled().empty();
}

bool Course::is_deadlocked() const { return may_hang() && spinning_.empty() && !blocked().empty(); }

bool Course::is_livelocked() {
  return may_hang() && !spinning_.empty() &&
         std::ranges::all_of(spinning_, [&](ThreadIndex thread) { return comes_round(thread); });
}

/// Tried in the present state, which is as it was afterwards.
bool Course::comes_round(ThreadIndex thread) {
  constexpr int longest = 100;  // steps of a round
  const std::optional<ContentHash> start = executor_.local_state(thread);
  const std::size_t here = executor_.steps();
  bool is_back = false;
  executor_.rehearse(true);
  for (int i = 0; i < longest && !is_back && executor_.is_enabled(thread); ++i) {
    const bool goes_on = executor_.step(thread, 0).end == StepEnd::Stopped;
    if (!goes_on || executor_.left_traces(thread)) break;
    is_back = executor_.local_state(thread) == start;
  }
  executor_.rewind(here);
  executor_.rehearse(false);
  return is_back;
}

}  // namespace heddle::explore
