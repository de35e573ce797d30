// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter as an Executor for systematic searches: visible operations are synchronisation, atomics and whole
// atomic sections. Plain accesses are left to vector clocks: as long as a program has no race, they are ordered by the
// visible operations, so the traces of those are all there is to see.
//
// The semantics is the weakest one, so that nothing is missed: a wait may end without a signal, a try-lock of a free
// lock may fail, and a section whose assumption turns out false has made its accesses all the same, only then its
// thread stops for ever. Threads that end the program are stopped in front of that: what others do meanwhile happens in
// a run in which the end comes later. Threads that spin are stopped too (spin.h).
//
// What the executor notes on the way (a cut, an answer that could have been another, undefined behaviour, a misused
// lock) decides whether a search that ended may be called exhaustive.
#pragma once
#include <set>
#include <span>
#include <string>

#include "explore/executor/executor.h"
#include "explore/executor/inputs.h"
#include "explore/search/race_detector.h"
#include "explore/search/spin.h"
#include "interpret/machine/machine.h"

namespace heddle::explore {

inline constexpr const char* input_was_chosen = "an input value was chosen";

struct MachineLimits {
  std::uint64_t events = 2'000;  ///< in one execution
  std::uint64_t step_instructions = 200'000;
  std::uint64_t value = 0;  ///< that every input has; more than two are not tried
  std::uint32_t threads = 64;
  bool weakest = true;       ///< waits end without a signal and try-locks fail without a reason
  bool at_accesses = false;  ///< plain accesses to memory that may be shared are operations of their own
};

class MachineExecutor final : public Executor {
 public:
  MachineExecutor(const Program& program, const api::ApiModels& models, const MachineLimits& limits);

  void restart() override;
  void rewind(std::size_t length) override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override { return over_; }

  /// The first race of the execution that ran, by vector clocks; also notes what only its end shows.
  [[nodiscard]] std::optional<DetectedRace> race() { return race(nullptr); }
  /// The same where atomics order only as far as the memory orders of the program say.
  [[nodiscard]] std::optional<DetectedRace> race(const Program* orders);
  [[nodiscard]] bool has_race() { return race().has_value(); }
  /// Two threads stood before racing accesses in one of its states; looked for at accesses only.
  [[nodiscard]] bool was_adjacent() const { return adjacent_; }
  /// Nobody can go on, somebody waits, and the program has not ended.
  [[nodiscard]] bool is_deadlocked() const;
  /// Nobody can go on but threads that spin, and they come round again and again.
  [[nodiscard]] bool is_livelocked();
  [[nodiscard]] const std::vector<ThreadIndex>& path() const { return path_; }
  [[nodiscard]] const MachineLimits& limits() const { return limits_; }
  [[nodiscard]] const interpret::Machine& machine() const { return machine_; }
  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  /// Why no claim about all executions may rest on what ran; empty: none.
  [[nodiscard]] const std::set<std::string>& gaps() const { return gaps_; }

 private:
  struct WaiterChooser final : interpret::Chooser {
    std::uint64_t choose(const interpret::Choice& choice) override;
    std::uint32_t wanted = 0;  ///< the outcome of this step's choice
    std::uint32_t count = 1;   ///< outcomes it has
    bool gave_value = false, several = false;
    std::uint64_t value = 0;  ///< of inputs
  };

  [[nodiscard]] bool is_over(ThreadIndex thread) const;
  [[nodiscard]] Event describe(ThreadIndex thread) const;
  void add_events(Event& event, std::span<const interpret::Event> done) const;
  bool stop_short(ThreadIndex thread, interpret::Machine::Mark before, interpret::StepResult& result);
  void fail_section(ThreadIndex thread, Event& event);
  void add_unfinished(Event& event, std::span<const interpret::Event> section);
  void finish_step(const interpret::StepResult& result, Event& event);
  void park(ThreadIndex thread);
  bool comes_round(ThreadIndex thread);
  void look_for_adjacent();
  void note_ending(const interpret::Outcome& outcome);
  void note_choices();
  void note_locks();

  MachineLimits limits_;
  mutable WaiterChooser chooser_;
  mutable interpret::Machine machine_;
  interpret::Machine::Mark start_;
  /// The state in front of a step.
  struct Before {
    interpret::Machine::Mark mark;
    bool over, adjacent;
    bool parks = false;  ///< the step stopped its thread for good
  };
  std::vector<Before> before_;
  std::vector<ThreadIndex> path_;
  std::vector<interpret::Event> events_;
  std::vector<std::size_t> step_ends_;
  std::set<ThreadIndex> parked_;    ///< they make no further step
  std::set<ThreadIndex> spinning_;  ///< those of them that could
  SpinWatch spin_;
  std::set<std::string> gaps_;
  std::uint64_t instructions_ = 0;
  bool over_ = false;
  bool adjacent_ = false;
};

}  // namespace heddle::explore
