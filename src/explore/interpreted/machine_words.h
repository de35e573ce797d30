// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words for what an interpreted program shows: names of variables, places and stacks out of the Program's debug
// information, values out of the machine's memory.
#pragma once
#include "explore/executor/words.h"
#include "interpret/machine/machine.h"

namespace heddle::explore {

EndingKind kind_of(interpret::OutcomeKind kind);

class MachineWords final : public Words {
 public:
  MachineWords(const Program& program, interpret::Machine& machine) : program_(program), machine_(machine) {}

  [[nodiscard]] ReportAccess describe(ThreadIndex thread, const Bytes& bytes) override;
  [[nodiscard]] ReportAccess describe_made(const Deed& deed) override;
  [[nodiscard]] std::string name_of(std::uint64_t address) const override;
  [[nodiscard]] std::string value_at(const Bytes& bytes) const override;
  [[nodiscard]] std::string thread_name(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ReportFrame> stack(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<std::string> inputs() const override;
  [[nodiscard]] Ending ending() const override;
  [[nodiscard]] std::vector<Ending> avoided() const override;
  [[nodiscard]] std::vector<Ending> misuses() const override;

  /// A thread was stopped in front of this.
  void add_avoided(const interpret::RunOutcome& outcome) { avoided_.push_back(outcome); }
  void keep_avoided(std::size_t count) { avoided_.resize(count); }
  /// From now on locks are listed in the order taken, by what `follow` is told; otherwise sorted.
  void follow_locks() { follows_locks_ = true; }
  void follow(const interpret::Event& event);

 private:
  [[nodiscard]] ReportFrame frame_of(const interpret::StackEntry& entry) const;
  [[nodiscard]] std::vector<ReportFrame> frames_of(const std::vector<interpret::StackEntry>& stack) const;
  [[nodiscard]] std::vector<interpret::Address> locks_of(ThreadIndex thread) const;
  [[nodiscard]] Ending ending_of(const interpret::RunOutcome& outcome) const;

  const Program& program_;
  interpret::Machine& machine_;
  std::vector<interpret::RunOutcome> avoided_;
  bool follows_locks_ = false;
  std::vector<std::vector<interpret::Address>> held_;  ///< of each thread, in the order taken
};

/// What the thread's next step touches; empty if it is not enabled. Runs it for a trial where that is the only way.
std::vector<interpret::TouchedBytes> next_touches(interpret::Machine& machine, ThreadIndex thread);

}  // namespace heddle::explore
