// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/step_budget.h"

namespace heddle::topdown {

namespace {

constexpr std::uint64_t least_work = 1'000'000;

}  // namespace

void StepBudget::step() {
  ++steps_;
  if (steps_ > most_steps_)
    throw BudgetExceeded{"the step budget (" + std::to_string(most_steps_) + " steps, --step-budget) was used up"};
  // A step that merges large states costs more than one that does not. With more steps allowed, more of this is: by
  // default about half a minute of it.
  if (steps_ % 256 == 0 && u.maps.work() > most_steps_ + most_steps_ / 4 + least_work)
    throw BudgetExceeded{"the budget for states (" + std::to_string(most_steps_) +
                         " steps, --step-budget) was used up"};
  if (steps_ % 256 == 0 && stop_.is_asked("static analysis", steps_, most_steps_))
    throw BudgetExceeded{"the analysis ended early: " + stop_.why()};
  if (steps_ % 4096 == 0 && u.bytes() > most_bytes_) throw BudgetExceeded{"the memory budget was used up"};
}

}  // namespace heddle::topdown
