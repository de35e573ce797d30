// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order inside one execution: which events depend on each other, and happens-before as vector clocks.
//
//   T1: lock m   T1: unlock m   T2: lock m        hb: 0 -> 1 -> 2, and T2's lock races with T1's *lock*: they are the pair
//                                                 whose order another execution can reverse
//
// Cost: an event looks at the earlier events on the objects it touches.
#pragma once
#include <cstddef>
#include <map>
#include <vector>

#include "explore/executor.h"

namespace heddle::explore {

bool overlap(const Touch& a, const Touch& b);
/// By touches alone; events of one thread are ordered anyway.
bool dependent(const Event& a, const Event& b);
/// `later` waits for what `earlier` gives, so it cannot run in front of it.
bool never_enabled_together(const Event& earlier, const Event& later);

using Clock = std::vector<std::uint32_t>;  ///< per thread: how many of its events happen before or are this one
void join(Clock& into, const Clock& other);

/// One execution with its happens-before relation, grown at the end and cut back.
class Trace {
 public:
  void clear();
  void append(Event event);
  void truncate(std::size_t size);

  [[nodiscard]] std::size_t size() const { return events_.size(); }
  [[nodiscard]] const Event& operator[](std::size_t i) const { return events_[i]; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const Clock& clock(std::size_t i) const { return clocks_[i]; }
  [[nodiscard]] bool happens_before(std::size_t a, std::size_t b) const;

  /// Events whose order with `event`, run (or waiting) as number `at`, another execution can reverse, latest first.
  [[nodiscard]] std::vector<std::size_t> races_with(const Event& event, std::size_t at) const;
  /// The events behind number `first` that do not happen after it.
  [[nodiscard]] std::vector<std::size_t> not_after(std::size_t first) const;
  /// The same for all executions of one Mazurkiewicz trace, and different for different ones.
  [[nodiscard]] std::vector<std::uint64_t> fingerprint() const;

 private:
  [[nodiscard]] Clock clock_before(const Event& event, std::size_t at) const;
  [[nodiscard]] std::vector<std::size_t> dependencies(const Event& event, std::size_t at) const;

  std::vector<Event> events_;
  std::vector<Clock> clocks_;
  std::vector<std::uint32_t> rank_;  ///< position among the events of its thread, from 1
  std::map<std::uint64_t, std::vector<std::size_t>> by_object_;
  std::map<ThreadIndex, std::vector<std::size_t>> by_thread_;
  std::map<ThreadIndex, std::size_t> spawned_by_;
};

}  // namespace heddle::explore
