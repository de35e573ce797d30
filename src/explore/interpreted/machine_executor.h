// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interpreter as an Executor for systematic searches: visible operations are synchronisation, atomics and whole
// atomic sections. Plain accesses are left to vector clocks: as long as a program has no race, they are ordered by the
// visible operations, so the traces of those are all there is to see.
//
// The semantics is the weakest one, so that nothing is missed: a wait may end without a signal, a try-lock of a free
// lock may fail, and a section whose assumption turns out false has made its accesses all the same, only then its
// thread stops for ever. Threads that end the program are stopped in front of that: what others do meanwhile happens in
// a run in which the end comes later.
//
// What the executor notes on the way (a cut, an answer that could have been another, undefined behaviour, a misused
// lock) decides whether a search that ended may be called exhaustive.
#pragma once
#include "explore/executor/subject.h"
#include "explore/interpreted/interpreted_executor.h"
#include "explore/interpreted/told_sides.h"

namespace heddle::explore {

class MachineExecutor final : public InterpretedExecutor {
 public:
  MachineExecutor(const Program& program, const api::ApiModels& models, const ExecutionLimits& limits,
                  const OrderRules& rules = {});

  void restart() override;
  void rewind(std::size_t length) override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override { return over_; }
  void rehearse(bool on) override { rehearses_ = on; }
  [[nodiscard]] std::size_t steps() const override { return step_ends_.size(); }
  [[nodiscard]] std::span<const Deed> deeds() const override;
  [[nodiscard]] std::span<const Deed> deeds_of(std::size_t step) const override;
  [[nodiscard]] Standing standing(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<NextAccess> next_accesses(ThreadIndex thread) override;
  [[nodiscard]] SpinRules spin_rules() const override { return spin_rules_; }
  [[nodiscard]] bool left_traces(ThreadIndex thread) const override;
  [[nodiscard]] bool asks_for_input(ThreadIndex thread) const override;
  [[nodiscard]] std::optional<WholeState> whole_state() const override;
  [[nodiscard]] OtherSides* sides() override { return sides_.get(); }

 private:
  /// Takes the outcome that the search wants.
  struct OutcomeChooser final : interpret::Chooser {
    std::uint64_t choose(const interpret::Choice& choice) override;
    std::uint32_t wanted = 0;  ///< the outcome of this step's choice
    std::uint32_t count = 1;   ///< outcomes it has
    bool gave_value = false, several = false;
    std::uint64_t value = 0;  ///< of inputs
  };
  /// The state in front of a step.
  struct Before {
    interpret::Machine::Mark mark;
    ThreadIndex thread;
    bool takes_or_gives;  ///< the operation changes synchronisation objects only by what its thread holds
    bool over;
    bool halts;  ///< the step stopped its thread for good
    std::size_t avoided;
  };

  [[nodiscard]] OutcomeChooser& chooser() const { return static_cast<OutcomeChooser&>(*chooser_); }
  [[nodiscard]] bool is_halted(ThreadIndex thread) const { return thread < halted_.size() && halted_[thread] != 0; }
  std::vector<interpret::Event> end_program(ThreadIndex thread, Event& event, interpret::StepResult& result);
  bool stop_short(ThreadIndex thread, interpret::Machine::Mark before, interpret::StepResult& result);
  void fail_section(ThreadIndex thread, Event& event);
  void add_unfinished(Event& event, std::span<const interpret::Event> section);
  void finish_step(const interpret::StepResult& result, Event& event);
  void halt(ThreadIndex thread);
  void add_gap(std::string gap);
  void note_ending(const interpret::RunOutcome& outcome);
  void note_choices();
  void tell_sides(const api::ApiModels& models, MemoryOrders orders);

  ExecutionLimits limits_;
  SpinRules spin_rules_;
  interpret::Machine::Mark start_;
  std::vector<Before> before_;
  std::unique_ptr<ToldSides> sides_;    ///< if they are asked for
  std::vector<std::size_t> step_ends_;  ///< in deeds_
  std::vector<std::uint8_t> halted_;    ///< of each thread: it makes no further step
  bool over_ = false;
  bool rehearses_ = false;
};

}  // namespace heddle::explore
