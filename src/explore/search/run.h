// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run: one execution under a scheduler, watched by vector clocks, with a log from which it can be run again.
//
//   PolicyInputs values(candidates, ValuePolicy::Zero, 1);
//   Run run(subject, limits, values);
//   while (!run.over()) run.step(strategy.pick(run.enabled(), run.last_step_spun()));
//   if (run.race()) …
//
// Threads that would end the program are halted in front of that step while others can go on: what a race needs is a
// prefix. Only so many threads of one creation site run; the rest are created and never scheduled, which is a legal
// schedule too. Both, and every limit, are remembered: a run that was capped or cut proves nothing about what it did
// not see.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "explore/clocks/race_detector.h"
#include "explore/executor/subject.h"

namespace heddle::explore {

/// A thread's name that does not depend on when others were created: its creator and how many that one created before.
class ThreadNames {
 public:
  std::uint32_t name(std::uint32_t creator, std::uint32_t ordinal);

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> names_;
};

struct StepLog {
  ThreadIndex thread = 0;
  std::uint64_t progress = 0;  ///< of the thread, when the step was over
  std::uint32_t epoch = 0;     ///< of the thread, when it began
  Clock clock;                 ///< of the thread, when it was over
};

class Run {
 public:
  /// With a watch, races do not end the run: the watch is told of them.
  Run(const Subject& subject, const RunLimits& limits, Inputs& inputs, PairWatch* watch = nullptr);

  /// Threads a scheduler may choose from, ascending.
  [[nodiscard]] const std::vector<ThreadIndex>& enabled() const { return enabled_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] bool over() const { return over_; }
  /// False if the thread could not go on after all; nothing happened then but an unfinished section's accesses.
  bool step(ThreadIndex thread);

  /// The first pair that nothing orders if atomics are sequentially consistent; it ends the run.
  [[nodiscard]] const std::optional<DetectedRace>& race() const { return detector_.race(); }
  /// The first pair that nothing orders by the memory orders of the program; the run goes on.
  [[nodiscard]] std::optional<DetectedRace> race_by_order() const {
    return by_order_ ? by_order_->race() : std::nullopt;
  }
  [[nodiscard]] const std::vector<StepLog>& log() const { return log_; }
  [[nodiscard]] const std::vector<Answer>& answers() const { return inputs_.given(); }
  [[nodiscard]] Executor& executor() { return *executor_; }
  [[nodiscard]] const Executor& executor() const { return *executor_; }
  [[nodiscard]] const Clock& clock(ThreadIndex thread) { return detector_.clock(thread); }
  /// Creation order of this run to (creator, ordinal) and back by following creators.
  [[nodiscard]] std::vector<std::uint32_t> names(ThreadNames& names) const;
  /// The thread that `creator` made as its `ordinal`-th; no_thread: not yet.
  [[nodiscard]] ThreadIndex child(ThreadIndex creator, std::uint32_t ordinal) const;
  [[nodiscard]] std::uint64_t instructions() const { return executor_->instructions(); }
  /// Threads looked at so far to tell which are enabled: with thousands of them that is the most of the work.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  [[nodiscard]] std::uint64_t bytes() const {
    return log_bytes_ + detector_.bytes() + (by_order_ ? by_order_->bytes() : 0);
  }
  [[nodiscard]] bool capped() const { return capped_; }  ///< a thread was never scheduled
  [[nodiscard]] bool was_cut() const;                    ///< a limit was met
  [[nodiscard]] bool last_step_spun() const { return last_spun_; }

 private:
  struct Thread {
    bool dormant = false;
    bool is_saturated = false;  ///< created threads beyond the cap: it gets its turn when no other thread can go on
    std::uint32_t creator = 0, ordinal = 0, created = 0;
  };
  void meet_new_threads();
  void collect_enabled();
  void follow_step(ThreadIndex thread, std::uint32_t epoch);
  void finish_step(const Event& event, std::uint32_t epoch);

  RunLimits limits_;
  Inputs& inputs_;
  std::unique_ptr<Executor> executor_;
  RaceDetector detector_;
  std::optional<RaceDetector> by_order_;  ///< if orders count in this program
  std::vector<Thread> threads_;
  std::vector<ThreadIndex> live_;
  std::vector<ThreadIndex> enabled_;
  std::map<AccessKey, std::uint32_t> instances_;  ///< per creation site
  std::vector<StepLog> log_;
  std::uint64_t log_bytes_ = 0, looks_ = 0;
  bool over_ = false, capped_ = false, cut_ = false, last_spun_ = false;
};

}  // namespace heddle::explore
