// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/register_updates.h"

#include <bit>

#include "depend/access/made_of.h"
#include "program/model/device_register.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

/// `R | 0x10`, `R & ~0x10`, as `sbi` and `cbi` do.
bool changes_one_bit(const Program& program, const Function& function, Operand value) {
  const Operand plain = without_casts(function, value);
  if (!plain.is_value() || function.is_parameter(plain.as_value())) return false;
  const Instruction& made = function.instructions[function.definition(plain.as_value())];
  if (made.opcode != Opcode::Binary) return false;
  const auto number = constant_number(program, function, function.operands_of(made)[1]);
  if (!number) return false;
  const auto bits = static_cast<std::uint8_t>(*number);
  return (made.binary_op() == BinaryOp::Or && std::has_single_bit(bits)) ||
         (made.binary_op() == BinaryOp::And && std::has_single_bit(static_cast<std::uint8_t>(~bits)));
}

bool has_bit_instructions(const Program& program, std::uint64_t address) {
  return program.layout.triple.starts_with("avr") && address >= 0x20 && address <= 0x3f;
}

}  // namespace

bool may_be_broken(const Program& program, const Access& first, bool first_writes, const Access& second,
                   bool second_writes) {
  const auto address = device_address(program.globals[first.variable]);
  if (!address) return true;
  if (first_writes || !second_writes || first.function != second.function) return false;
  const Function& function = program.functions[first.function];
  const Instruction& store = function.instructions[second.instruction];
  if (store.opcode != Opcode::Store) return first.instruction != second.instruction;
  const Operand value = function.operands_of(store)[0];
  return is_made_of(function, value, [&](std::size_t at) { return at == first.instruction; }) &&
         !(has_bit_instructions(program, *address) && changes_one_bit(program, function, value));
}

}  // namespace heddle::depend
