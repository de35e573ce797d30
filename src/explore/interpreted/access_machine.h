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

 private:
  Inputs& inputs_;
};

}  // namespace heddle::explore
