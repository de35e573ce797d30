// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <set>
#include <vector>

#include "program/model/program.h"

namespace heddle::depend {

/// Some instruction that `is_wanted` goes into the operand, by computing: not over memory, and not through calls.
template <class IsWanted>
bool is_made_of(const Function& function, Operand operand, IsWanted is_wanted) {
  std::vector<Operand> todo{operand};
  std::set<std::size_t> seen;
  while (!todo.empty()) {
    const Operand here = todo.back();
    todo.pop_back();
    if (!here.is_value() || function.is_parameter(here.as_value())) continue;
    const std::size_t at = function.definition(here.as_value());
    if (!seen.insert(at).second) continue;
    if (is_wanted(at)) return true;
    const Instruction& code = function.instructions[at];
    if (code.opcode == Opcode::Load || code.is_call()) continue;
    for (const Operand part : function.operands_of(code)) todo.push_back(part);
  }
  return false;
}

}  // namespace heddle::depend
