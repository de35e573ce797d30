// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One execution of an interpreted program that stops at plain accesses too: two threads can be brought in front of the
// two sides of a race, and the program really ends where it ends.
#pragma once
#include "explore/executor/subject.h"
#include "explore/interpreted/interpreted_executor.h"

namespace heddle::explore {

class AccessMachine final : public InterpretedExecutor {
 public:
  AccessMachine(const Program& program, const api::ApiModels& models, const ReplayLimits& limits, Inputs& inputs,
                const OrderRules& rules);

  /// Refused if the thread cannot make it, or there is no such thread.
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] Standing standing(ThreadIndex thread) const override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;

 private:
  [[nodiscard]] bool waits_for_ever(ThreadIndex thread) const;
  interpret::StepResult stop_at_assumption(ThreadIndex thread, interpret::Machine::Mark before,
                                           interpret::StepResult result, std::size_t given);

  Inputs& inputs_;
  std::vector<std::uint8_t> halted_;  ///< by thread: it waits at a false assumption
};

}  // namespace heddle::explore
