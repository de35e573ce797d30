// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/trampolines.h"

#include "program/model/function_queries.h"

namespace heddle::scan {

bool calls_first_parameter(const Function& function, std::uint32_t instruction) {
  if (!function.instructions[instruction].is_call()) return false;
  const Operand callee = without_casts(function, function.operands_of(function.instructions[instruction])[0]);
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
