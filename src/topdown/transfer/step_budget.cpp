// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/step_budget.h"

namespace heddle::topdown {

namespace {

constexpr std::uint64_t least_work = 1'000'000;

}  // namespace

void StepBudget::give_up(const std::string& what) const {
  if (is_first_try_ && !stop_.is_asked()) throw TooLarge();
  throw BudgetExceeded{what};
}

void StepBudget::step() {
  ++steps_;
  const auto of = [&] { return " (" + std::to_string(most_steps_) + " steps, --step-budget) was used up"; };
  if (steps_ > most_steps_) give_up("the step budget" + of());
  if (steps_ % 256 == 0 && own_stop_.is_asked("static analysis", steps_, most_steps_))
    give_up("the analysis ended early: " + stop_.why());
  // A step that merges large states costs more than one that does not. With more steps allowed, more of this is: by
  // default about half a minute of it.
  if (steps_ % 256 == 0 && u.maps.work() > most_steps_ + most_steps_ / 4 + least_work)
    give_up("the budget for states" + of());
  if (steps_ % 4096 == 0 && u.bytes() > most_bytes_) give_up("the memory budget was used up");
}

}  // namespace heddle::topdown
