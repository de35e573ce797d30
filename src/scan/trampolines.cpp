// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/trampolines.h"

namespace heddle::scan {

bool calls_first_parameter(const Function& function, std::uint32_t instruction) {
  if (!function.instructions[instruction].is_call()) return false;
  const auto operands = function.operands_of(function.instructions[instruction]);
  Operand callee = operands[0];
  while (callee.is_value() && !function.is_parameter(callee.as_value()) &&
         function.instructions[function.definition(callee.as_value())].opcode == Opcode::Cast)
    callee = function.operands_of(function.instructions[function.definition(callee.as_value())])[0];
  return callee.is_value() && callee.index() == 0 && !function.parameters.empty();
}

std::vector<bool> find_trampolines(const Program& program) {
  std::vector<bool> out;
  for (const Function& function : program.functions) {
    bool is_one = false;
    if (!function.parameters.empty() && program.types[function.parameters[0]].kind == TypeKind::Pointer)
      for (std::uint32_t i = 0; i < function.instructions.size() && !is_one; ++i)
        is_one = calls_first_parameter(function, i);
    out.push_back(is_one);
  }
  return out;
}

}  // namespace heddle::scan
