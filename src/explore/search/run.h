// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Run: one execution of a Program under a scheduler, watched by vector clocks, with a log from which it can be run
// again.
//
//   LoggedChooser values(candidates, ValuePolicy::Zero, 1);
//   Run run(program, models, limits, values);
//   while (!run.over()) run.step(strategy.pick(run));
//   if (run.race()) …
//
// Threads that would end the program (exit, abort, undefined behaviour, a false assumption) are parked in front of that
// step while others can go on: what a race needs is a prefix. Only so many threads of one creation site run; the rest
// are created and never scheduled, which is a legal schedule too. Both, and every limit, are remembered: a run that was
// capped or cut proves nothing about what it did not see.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "explore/executor/inputs.h"
#include "explore/search/race_detector.h"
#include "interpret/machine/machine.h"

namespace heddle::explore {

struct RunLimits {
  std::uint64_t instructions = 2'000'000;
  std::uint64_t step_instructions = 20'000;  ///< then others get a chance: it may be spinning
  std::uint32_t threads = 300;               ///< that are created
  std::uint32_t instances = 1'000'000;       ///< threads that run, for each creation site
  std::uint64_t memory = 800ULL << 20;       ///< bytes of clocks, shadow memory and log; then the run is cut
};

/// A thread's name that does not depend on when others were created: its creator and how many that one created before.
class ThreadNames {
 public:
  std::uint32_t name(std::uint32_t creator, std::uint32_t ordinal);

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> names_;
};

struct StepLog {
  interpret::ThreadIndex thread = 0;
  std::uint64_t instructions = 0;  ///< of the thread, when the step was over
  std::uint32_t epoch = 0;         ///< of the thread, when it began
  Clock clock;                     ///< of the thread, when it was over
};

class Run {
 public:
  Run(const Program& program, const api::ApiModels& models, const RunLimits& limits, LoggedChooser& chooser,
      bool keep_log);

  /// Threads a scheduler may choose from, ascending.
  [[nodiscard]] const std::vector<interpret::ThreadIndex>& enabled() const { return enabled_; }
  [[nodiscard]] const RunLimits& limits() const { return limits_; }
  [[nodiscard]] bool over() const { return over_; }
  /// False if the thread could not go on after all; nothing happened then.
  bool step(interpret::ThreadIndex thread);

  [[nodiscard]] const std::optional<DetectedRace>& race() const { return detector_.race(); }
  [[nodiscard]] const std::vector<StepLog>& log() const { return log_; }
  [[nodiscard]] const std::vector<LoggedChooser::Answer>& answers() const { return chooser_.answers(); }
  [[nodiscard]] const interpret::Machine& machine() const { return machine_; }
  [[nodiscard]] const Clock& clock(interpret::ThreadIndex thread) { return detector_.clock(thread); }
  /// Creation order of this run to (creator, ordinal) and back by following creators.
  [[nodiscard]] std::vector<std::uint32_t> names(ThreadNames& names) const;
  /// The thread that `creator` made as its `ordinal`-th; no_thread: not yet.
  [[nodiscard]] interpret::ThreadIndex child(interpret::ThreadIndex creator, std::uint32_t ordinal) const;
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  /// Threads looked at so far to tell who is enabled: with thousands of them that is the most of the work.
  [[nodiscard]] std::uint64_t looks() const { return looks_; }
  [[nodiscard]] std::uint64_t bytes() const { return log_bytes_ + detector_.bytes(); }
  [[nodiscard]] bool capped() const { return capped_; }  ///< a thread was never scheduled
  [[nodiscard]] bool was_cut() const { return cut_; }    ///< a limit was met
  [[nodiscard]] bool last_step_spun() const { return last_spun_; }
  [[nodiscard]] const std::vector<interpret::Outcome>& endings() const { return endings_; }

 private:
  struct Thread {
    bool dormant = false;
    bool is_saturated = false;  ///< created threads beyond the cap: it gets its turn when nobody else can go on
    std::uint32_t creator = 0, ordinal = 0, created = 0;
  };
  void meet_new_threads();
  void collect_enabled();
  void follow_step(interpret::ThreadIndex thread, std::uint32_t epoch, std::span<const interpret::Event> events);
  void finish_step(interpret::ThreadIndex thread, std::uint32_t epoch, const interpret::StepResult& result);

  RunLimits limits_;
  LoggedChooser& chooser_;
  interpret::Machine machine_;
  RaceDetector detector_;
  bool keep_log_;
  std::vector<Thread> threads_;
  std::vector<interpret::ThreadIndex> live_;
  std::vector<interpret::ThreadIndex> enabled_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> instances_;
  std::vector<StepLog> log_;
  std::vector<interpret::Outcome> endings_;
  std::uint32_t steps_ = 0;
  std::uint64_t instructions_ = 0, log_bytes_ = 0, looks_ = 0;
  bool over_ = false, capped_ = false, cut_ = false, last_spun_ = false;
};

}  // namespace heddle::explore
