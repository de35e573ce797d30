// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small questions about a function's code.
//
//   block_of(f, i)               the block that instruction i stands in
//   definition_of(f, operand)    the instruction that it is the result of; null: of none
//   without_casts(f, operand)    what it was before it was cast: `(long)(int)n` is n
//   base_of(f, address)          the pointer that it was computed from: `&p->slot[i]` is p
//   used_values(f)               by value: some instruction has it as an operand
//   is_temporary(f, slot)        no variable of the source lies in that stack slot
//   with_sign(bits, width)       the number that so many bits are, with their sign
//   signed_number(p, constant)   of an integer of at most 64 bits: with the sign of its width
//   constant_number(p, f, o)     the same, of an operand that is a constant once casts are taken away
//   line_of(p, f, i)             the line of an instruction; 0: not known
#pragma once
#include <algorithm>
#include <optional>
#include <vector>

#include "program/model/program.h"

namespace heddle {

[[nodiscard]] inline BlockId block_of(const Function& function, std::size_t instruction) {
  const auto behind = std::ranges::upper_bound(function.blocks, instruction, {}, &Block::first);
  return BlockId(static_cast<std::size_t>(behind - function.blocks.begin()) - 1);
}

[[nodiscard]] inline const Instruction* definition_of(const Function& function, Operand operand) {
  if (!operand.is_value() || function.is_parameter(operand.as_value())) return nullptr;
  return &function.instructions[function.definition(operand.as_value())];
}

[[nodiscard]] inline Operand without_casts(const Function& function, Operand operand) {
  for (const Instruction* source = definition_of(function, operand);
       source != nullptr && source->opcode == Opcode::Cast; source = definition_of(function, operand))
    operand = function.operands_of(*source)[0];
  return operand;
}

[[nodiscard]] inline Operand base_of(const Function& function, Operand address) {
  for (const Instruction* source = definition_of(function, address);
       source != nullptr && (source->opcode == Opcode::Gep || source->opcode == Opcode::Cast);
       source = definition_of(function, address))
    address = function.operands_of(*source)[0];
  return address;
}

[[nodiscard]] inline std::vector<bool> used_values(const Function& function) {
  std::vector<bool> used(function.value_count());
  for (const Operand operand : function.operands)
    if (operand.is_value()) used[operand.as_value().index()] = true;
  return used;
}

[[nodiscard]] inline std::int64_t with_sign(std::uint64_t bits, std::uint64_t width) {
  if (width == 0 || width >= 64) return static_cast<std::int64_t>(bits);
  const std::uint64_t kept = bits & ((std::uint64_t{1} << width) - 1), sign = std::uint64_t{1} << (width - 1);
  return static_cast<std::int64_t>((kept ^ sign) - sign);
}

[[nodiscard]] inline std::optional<std::int64_t> signed_number(const Program& program, const Constant& constant) {
  if (constant.kind != Constant::Kind::Int || !constant.wide.empty()) return std::nullopt;
  return with_sign(constant.bits, program.types[constant.type].value_bits);
}

[[nodiscard]] inline std::optional<std::int64_t> constant_number(const Program& program, const Function& function,
                                                                 Operand operand) {
  const Operand plain = without_casts(function, operand);
  return plain.is_constant() ? signed_number(program, program.constants[plain.as_constant()]) : std::nullopt;
}

[[nodiscard]] inline std::uint32_t line_of(const Program& program, FunctionId function, std::size_t instruction) {
  const LocationId at = program.functions[function].instructions[instruction].location;
  return at ? program.locations[at].line : 0;
}

[[nodiscard]] inline bool is_pointer(const Program& program, const Function& function, Operand operand) {
  if (!operand.is_value()) return operand.is_global();
  const ValueId value = operand.as_value();
  const TypeId type = function.is_parameter(value) ? function.parameters[value.index()]
                                                   : function.instructions[function.definition(value)].type;
  return program.types[type].kind == TypeKind::Pointer;
}

/// A stack slot that the source gives no name to: a temporary, or a parameter passed as a copy in the caller's frame.
/// Of code without debug information nothing is known to be one.
[[nodiscard]] inline bool is_temporary(const Function& function, std::size_t slot) {
  if (!function.location || slot >= function.instructions.size()) return false;
  return std::ranges::none_of(function.names, [&](const ValueName& name) {
    return name.names_memory && name.value == function.result_of(slot);
  });
}

}  // namespace heddle
