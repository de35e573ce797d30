// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter as an Executor for systematic searches: visible operations are synchronisation, atomics and whole atomic
// sections. Plain accesses are left to vector clocks: as long as a program has no race, they are ordered by the visible
// operations, so the traces of those are all there is to see.
//
// What the executor notes on the way (a cut, an answer that could have been another, undefined behaviour, a call it does not know)
// decides whether a search that ended may be called exhaustive.
#pragma once
#include <set>
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

  /// Whether the execution that ran has a race.
  [[nodiscard]] bool has_race() const;
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

  [[nodiscard]] bool can_run(ThreadIndex thread) const;
  [[nodiscard]] Event describe(ThreadIndex thread) const;
  void add_events(Event& event) const;
  bool stop_short(ThreadIndex thread, interpret::Machine::Mark before, interpret::StepResult& result);
  void finish_step(const interpret::StepResult& result, Event& event);
  void note_ending(const interpret::Outcome& outcome);

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
