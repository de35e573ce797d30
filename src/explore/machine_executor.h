// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter as an Executor for systematic searches: visible operations are synchronisation, atomics and whole atomic
// sections. Plain accesses are left to vector clocks: as long as a program has no race, they are ordered by the visible
// operations, so the traces of those are all there is to see.
//
// The semantics is the weakest one, so that nothing is missed: a wait may end without a signal, a try-lock of a free lock may
// fail, and a section whose assumption turns out false has made its accesses all the same, only then its thread stops for ever. Threads that
// end the program are stopped in front of that: what others do meanwhile happens in a run in which the end comes later.
//
// What the executor notes on the way (a cut, an answer that could have been another, undefined behaviour, a misused lock)
// decides whether a search that ended may be called exhaustive.
#pragma once
#include <set>
#include <span>
#include <string>

#include "explore/executor.h"
#include "explore/race_detector.h"
#include "explore/values.h"
#include "interpret/machine.h"

namespace heddle::explore {

struct MachineLimits {
  std::uint64_t events = 2'000;  ///< in one execution
  std::uint64_t step_instructions = 200'000;
};

class MachineExecutor final : public Executor {
 public:
  MachineExecutor(const Program& program, const api::ApiModels& models, const MachineLimits& limits);

  void restart() override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override { return over_; }

  /// Whether the execution that ran has a race; also notes what only its end shows.
  [[nodiscard]] bool has_race();
  [[nodiscard]] const std::vector<ThreadIndex>& path() const { return path_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  /// Why no claim about all executions may rest on what ran; empty: none.
  [[nodiscard]] const std::set<std::string>& gaps() const { return gaps_; }

 private:
  struct WaiterChooser final : interpret::Chooser {
    std::uint64_t choose(const interpret::Choice& choice) override;
    std::uint32_t wanted = 0;  ///< the outcome of this step's choice
    std::uint32_t count = 1;   ///< outcomes it has
    bool gave_value = false, several = false;
  };

  [[nodiscard]] bool is_over(ThreadIndex thread) const;
  [[nodiscard]] Event describe(ThreadIndex thread) const;
  void add_events(Event& event, std::span<const interpret::Event> done) const;
  bool stop_short(ThreadIndex thread, interpret::Machine::Mark before, interpret::StepResult& result);
  void fail_section(ThreadIndex thread, Event& event);
  void finish_step(const interpret::StepResult& result, Event& event);
  void note_ending(const interpret::Outcome& outcome);
  void note_choices();
  void note_locks();

  MachineLimits limits_;
  mutable WaiterChooser chooser_;
  mutable interpret::Machine machine_;
  interpret::Machine::Mark start_;
  std::vector<ThreadIndex> path_;
  std::vector<interpret::Event> events_;
  std::vector<std::size_t> step_ends_;
  std::set<ThreadIndex> parked_;
  std::set<std::string> gaps_;
  std::uint64_t instructions_ = 0;
  bool over_ = false;
};

}  // namespace heddle::explore
