// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all executors over interpret::Machine have in common: answers about the present state, deeds, words. How a step
// is made, and whether it can be taken back, is what they differ in:
//
//   MachineExecutor   for searches: undoes, numbers threads alike on every schedule
//   MachineRun        one execution, fast
//   AccessMachine     one execution at the grain of accesses
#pragma once
#include <memory>

#include "explore/executor/executor.h"
#include "explore/executor/inputs.h"
#include "explore/interpreted/consumed_values.h"
#include "explore/interpreted/machine_words.h"
#include "interpret/machine/machine.h"

namespace heddle::explore {

/// What orders accesses in a program, and what is one.
struct OrderRules {
  MemoryOrders orders = MemoryOrders::SequentiallyConsistent;
  bool locks_are_memory = true;              ///< an operation on a lock is an access to its bytes
  const ConsumedValues* consumed = nullptr;  ///< none: every access may depend on what was consumed
};

/// With orders as written, what a thread did to memory of its own counts too: passing the address on may order nothing.
inline interpret::MachineOptions::Record recorded(MemoryOrders orders) {
  using Record = interpret::MachineOptions::Record;
  return orders == MemoryOrders::AsWritten ? Record::Everything : Record::Shared;
}

/// Does not go back, and keeps the latest step only: MachineExecutor does more.
class InterpretedExecutor : public Executor {
 public:
  void restart() override;
  void rewind(std::size_t length) override;
  void rehearse(bool on) override;
  [[nodiscard]] bool stopped() const override { return state() != EndingKind::Running; }
  [[nodiscard]] std::size_t steps() const override { return steps_; }
  [[nodiscard]] std::span<const Deed> deeds() const override { return deeds_; }
  [[nodiscard]] std::span<const Deed> deeds_of(std::size_t step) const override;
  [[nodiscard]] SpinRules spin_rules() const override { return {}; }
  /// Nothing is kept that could tell.
  [[nodiscard]] bool left_traces(ThreadIndex) const override { return true; }

  [[nodiscard]] EndingKind state() const final { return kind_of(machine_.outcome().kind); }
  [[nodiscard]] std::span<const EndingKind> avoided() const final { return avoided_; }
  [[nodiscard]] bool has_misused_lock() const final;
  [[nodiscard]] std::uint64_t instructions() const final { return instructions_; }
  [[nodiscard]] const std::set<std::string>& gaps() const final { return gaps_; }

  [[nodiscard]] std::size_t thread_count() const final { return machine_.thread_count(); }
  [[nodiscard]] Standing standing(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  [[nodiscard]] Creation creation_of(ThreadIndex thread) const final;
  [[nodiscard]] std::uint64_t progress(ThreadIndex thread) const final { return machine_.instructions_of(thread); }
  [[nodiscard]] NextOperation next(ThreadIndex thread) const final;
  [[nodiscard]] std::vector<NextAccess> next_accesses(ThreadIndex thread) override;
  [[nodiscard]] std::optional<std::uint64_t> awaited_object(ThreadIndex thread) const final;
  [[nodiscard]] std::vector<std::uint64_t> held(ThreadIndex thread) const final { return machine_.held_locks(thread); }
  [[nodiscard]] std::optional<ContentHash> local_state(ThreadIndex thread) const final {
    return machine_.local_state(thread);
  }
  [[nodiscard]] Words& words() final { return words_; }

 protected:
  InterpretedExecutor(const Program& program, const api::ApiModels& models, const interpret::MachineOptions& options,
                      std::unique_ptr<interpret::Chooser> chooser, const OrderRules& rules);

  [[nodiscard]] Deed deed_of(std::span<const interpret::Event> events, std::size_t number) const;
  void add_deeds(std::span<const interpret::Event> events);
  void note_avoided(const interpret::RunOutcome& outcome);
  /// The access to ended memory with which the program has ended; nothing: it ended otherwise.
  [[nodiscard]] std::vector<interpret::Event> fatal_access() const;

  const Program& program_;
  const ConsumedValues* consumed_;
  bool locks_are_memory_;
  bool at_accesses_;
  std::unique_ptr<interpret::Chooser> chooser_;
  interpret::Machine machine_;
  MachineWords words_;
  std::vector<EndingKind> avoided_;
  std::vector<Deed> deeds_;
  std::size_t steps_ = 0;
  std::set<std::string> gaps_;
  std::uint64_t instructions_ = 0;
};

/// Answers the machine's questions with Inputs.
class InputsChooser final : public interpret::Chooser {
 public:
  explicit InputsChooser(Inputs& inputs) : inputs_(inputs) {}
  std::uint64_t choose(const interpret::Choice& choice) override;

 private:
  Inputs& inputs_;
};

/// The accesses of a section of the step in which the program ended: they were made, and nothing comes behind them.
/// Empty if the step ended elsewhere.
std::vector<interpret::Event> unfinished_section(std::span<const interpret::Event> step, ThreadIndex thread);

}  // namespace heddle::explore
