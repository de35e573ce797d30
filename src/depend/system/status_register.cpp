// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/status_register.h"

#include "program/model/device_register.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

using Step = MaskStep::Step;

constexpr std::int64_t lets_in = 0x80;

bool is_avr(const Program& program) { return program.layout.triple.starts_with("avr"); }

bool is_status(const Program& program, const Global& global) {
  return is_avr(program) && (global.shown_name() == "SREG" || device_address(global) == 0x5f);
}

/// `SREG | 0x80`, `SREG & 0x7f`; other values are what was saved before.
Step step_of_value(const Program& program, const Function& function, Operand value) {
  if (const auto number = constant_number(program, function, value))
    return (*number & lets_in) != 0 ? Step::End : Step::Begin;
  const Operand plain = without_casts(function, value);
  if (!plain.is_value() || function.is_parameter(plain.as_value())) return Step::Restore;
  const Instruction& made = function.instructions[function.definition(plain.as_value())];
  if (made.opcode != Opcode::Binary) return Step::Restore;
  const auto number = constant_number(program, function, function.operands_of(made)[1]);
  if (number && made.binary_op() == BinaryOp::Or && (*number & lets_in) != 0) return Step::End;
  if (number && made.binary_op() == BinaryOp::And && (*number & lets_in) == 0) return Step::Begin;
  return Step::Restore;
}

}  // namespace

bool is_processor_state(const Program& program, const Global& global) {
  const auto address = is_avr(program) ? device_address(global) : std::nullopt;
  return address && ((*address >= 0x5d && *address <= 0x5f) || is_status(program, global));
}

std::optional<MaskStep> status_step(const Program& program, const Function& function, const Instruction& instruction) {
  if (instruction.opcode != Opcode::Store) return std::nullopt;
  const auto operands = function.operands_of(instruction);
  if (!operands[1].is_global() || !is_status(program, program.globals[operands[1].as_global()])) return std::nullopt;
  return MaskStep{step_of_value(program, function, operands[0])};
}

}  // namespace heddle::depend
