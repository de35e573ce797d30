// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Course: one execution under a search, as far as it has come. It is the Executor with what a search adds to it:
// threads that spin make no further step (spin.h), and at the grain of accesses each state is looked at for two threads
// that stand before racing accesses.
//
//   Course course(*subject.for_search({}));
//   search(course, SearchKind::Optimal, {}, [&](const Trace&) { return !course.is_deadlocked(); });
#pragma once
#include <vector>

#include "explore/executor/executor.h"
#include "explore/search/spin.h"

namespace heddle::explore {

/// Whether each state is looked at for adjacent accesses that race.
enum class Adjacency : std::uint8_t { Ignored, LookedFor };

class Course {
 public:
  explicit Course(Executor& executor, Adjacency adjacency = Adjacency::Ignored)
      : executor_(executor), spin_(executor.spin_rules()), looks_(adjacency == Adjacency::LookedFor) {}

  // As in Executor; a thread that spins is neither enabled nor blocked.
  void restart();
  void rewind(std::size_t length);
  [[nodiscard]] std::vector<ThreadIndex> enabled() const;
  [[nodiscard]] std::vector<Event> blocked() const;
  Event step(ThreadIndex thread, std::uint32_t choice);
  /// Makes a step once more. False: it cannot be made, or does something else. Whether its thread spins stays as it
  /// was: a native executor sees that by memory in which something from earlier executions may lie.
  bool repeat(const Event& event);
  [[nodiscard]] bool stopped() const { return executor_.stopped(); }

  [[nodiscard]] const Executor& executor() const { return executor_; }
  /// The threads that made the steps.
  [[nodiscard]] const std::vector<ThreadIndex>& path() const { return path_; }
  /// Two threads stood before racing accesses in one of its states.
  [[nodiscard]] bool was_adjacent() const { return adjacent_; }
  /// No thread can go on, one at least waits, and the program has not ended.
  [[nodiscard]] bool is_deadlocked() const;
  /// Only threads that spin can go on, and they come round again and again.
  [[nodiscard]] bool is_livelocked();

 private:
  struct Before {
    bool adjacent = false;
    bool stops = false;  ///< the step's thread spins: it stopped for good
  };

  Event step(ThreadIndex thread, std::uint32_t choice, const Event* before);
  [[nodiscard]] bool spins(ThreadIndex thread) const;
  [[nodiscard]] bool may_hang() const;
  bool comes_round(ThreadIndex thread);
  void look_for_adjacent();

  Executor& executor_;
  SpinWatch spin_;
  bool looks_;
  std::vector<ThreadIndex> path_;
  std::vector<Before> before_;  ///< of each step
  std::vector<ThreadIndex> spinning_;
  bool adjacent_ = false;
};

}  // namespace heddle::explore
