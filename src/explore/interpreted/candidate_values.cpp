// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/candidate_values.h"

#include <set>

namespace heddle::explore {
namespace {

void add_constant(const Program& program, Operand operand, std::set<std::uint64_t>& values) {
  if (!operand.is_constant()) return;
  const Constant& constant = program.constants[operand.as_constant()];
  if (constant.kind != Constant::Kind::Int) return;
  const std::uint64_t bits = program.types[constant.type].value_bits;
  std::uint64_t value = constant.bits;
  if (bits < 64 && bits > 1 && ((value >> (bits - 1)) & 1) != 0) value |= ~std::uint64_t{0} << bits;
  for (const std::uint64_t near : {value - 1, value, value + 1}) values.insert(near);
}

}  // namespace

std::vector<std::uint64_t> candidate_values(const Program& program) {
  constexpr std::size_t enough = 200;
  std::set<std::uint64_t> values{0, 1, ~std::uint64_t{0}};
  for (const Function& function : program.functions)
    for (const Instruction& instruction : function.instructions) {
      if (instruction.opcode != Opcode::Compare && instruction.opcode != Opcode::Switch) continue;
      if (values.size() > enough) break;
      for (const Operand operand : function.operands_of(instruction)) add_constant(program, operand, values);
    }
  return {values.begin(), values.end()};
}

}  // namespace heddle::explore
