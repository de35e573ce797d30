// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where execution stands, and how it goes on: the small values that the transfer functions hand to each other.
#pragma once
#include <span>
#include <vector>

#include "topdown/domain/state.h"

namespace heddle::topdown {

using States = std::vector<State>;  ///< disjuncts

/// How control leaves a function. A returned value is in the environment under the function's return slot.
struct Exits {
  States returns;
  States unwinds;
};

/// The function instance, and the instruction in it.
struct Site {
  ContextId context;
  FunctionId function_id;
  const Function* function = nullptr;
  std::uint32_t instruction = 0;
  [[nodiscard]] const Instruction& code() const { return function->instructions[instruction]; }
  [[nodiscard]] std::span<const Operand> operands() const { return function->operands_of(code()); }
  /// Of a call: the function that its text names; the first of the program if it names none.
  [[nodiscard]] FunctionId callee() const {
    const Operand called = operands()[0];
    return called.is_function() ? called.as_function() : FunctionId(0);
  }
};

}  // namespace heddle::topdown
