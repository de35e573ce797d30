// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One execution of an interpreted program from beginning to end, switched at synchronisation. Fast: nothing is kept to
// go back on but the latest step.
//
// A thread that would end the program (exit, abort, undefined behaviour, a false assumption) is halted in front of that
// step: what a race needs is a prefix. The accesses of that step count, only its last instruction does not take place.
#pragma once
#include "explore/executor/subject.h"
#include "explore/interpreted/interpreted_executor.h"

namespace heddle::explore {

class MachineRun final : public InterpretedExecutor {
 public:
  MachineRun(const Program& program, const api::ApiModels& models, const RunLimits& limits, Inputs& inputs,
             const OrderRules& rules);

  Event step(ThreadIndex thread, std::uint32_t choice) override;

 private:
  interpret::StepResult stop_short(ThreadIndex thread, interpret::Machine::Mark before, interpret::StepResult result,
                                   std::size_t given);

  std::uint64_t step_instructions_;
  Inputs& inputs_;
};

}  // namespace heddle::explore
