// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/step_budget.h"

namespace heddle::topdown {

void StepBudget::step() {
  ++steps_;
  if (steps_ > most_steps_)
    throw BudgetExceeded{"the step budget (" + std::to_string(most_steps_) + " steps, --step-budget) was used up"};
  if (steps_ % 4096 == 0 && u.bytes() > most_bytes_) throw BudgetExceeded{"the memory budget was used up"};
}

}  // namespace heddle::topdown
