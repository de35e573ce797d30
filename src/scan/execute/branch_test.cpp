// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/branch_test.h"

#include <utility>

namespace heddle::scan {
namespace {

/// Of a comparison with a number; none if it says nothing about the value.
std::optional<BranchTest> test_of(Predicate predicate, std::int64_t number) {
  switch (predicate) {
    case Predicate::Eq:
      return number == 0 ? BranchTest{0, Outcome::Zero, Outcome::NonZero}
                         : BranchTest{0, Outcome::NonZero, Outcome::Always};
    case Predicate::Ne:
      return number == 0 ? BranchTest{0, Outcome::NonZero, Outcome::Zero}
                         : BranchTest{0, Outcome::Always, Outcome::NonZero};
    case Predicate::Slt:
      if (number != 0) return std::nullopt;
      return BranchTest{0, Outcome::Negative, Outcome::NonNegative};
    case Predicate::Sgt:
      if (number != -1) return std::nullopt;
      return BranchTest{0, Outcome::NonNegative, Outcome::Negative};
    case Predicate::Sge:
      if (number != 0) return std::nullopt;
      return BranchTest{0, Outcome::NonNegative, Outcome::Negative};
    default: return std::nullopt;
  }
}

/// Whether the result is negative if and only if the operand is.
bool keeps_sign(const Instruction& cast) {
  return cast.opcode == Opcode::Freeze || (cast.opcode == Opcode::Cast && cast.cast_op() == CastOp::SExt);
}

}  // namespace

Operand before_casts(const Program& program, const Function& function, Operand operand) {
  while (operand.is_value() && !function.is_parameter(operand.as_value())) {
    const Instruction& source = function.instructions[function.definition(operand.as_value())];
    if (!keeps_zero(program, source)) break;
    operand = function.operands_of(source)[0];
  }
  return operand;
}

Outcome outcome_of(ValueNames& names, Operand value) {
  if (names.value_of(value).is_null()) return Outcome::Zero;
  return names.is_surely_not_zero(value) ? Outcome::NonZero : Outcome::Always;
}

std::optional<BranchTest> find_test(const ScanInput& input, const Function& function, ValueNames& names,
                                    const Instruction& branch) {
  Operand condition = function.operands_of(branch)[0];
  BranchTest test{0, Outcome::NonZero, Outcome::Zero};
  std::optional<BranchTest> found;
  for (int depth = 0; depth < 8; ++depth) {
    if (!condition.is_value()) return found;
    test.value = condition.index();
    found = test;
    if (function.is_parameter(condition.as_value())) return found;
    const Instruction& source = function.instructions[function.definition(condition.as_value())];
    const auto operands = function.operands_of(source);
    if (test.asks_for_zero() ? keeps_zero(input.program, source) : keeps_sign(source)) {
      condition = operands[0];
      continue;
    }
    if (test.if_true != Outcome::Zero && test.if_true != Outcome::NonZero) return found;
    if (source.opcode == Opcode::Binary && source.binary_op() == BinaryOp::Xor) {
      // Of one bit, it is "not".
      if (!names.value_of(operands[1]).is_number() || input.program.types[source.type].value_bits != 1) return found;
      std::swap(test.if_true, test.if_false);
      condition = operands[0];
      continue;
    }
    if (source.opcode != Opcode::Compare) return found;
    const SymbolicValue with = names.value_of(operands[1]);
    const auto compared = with.is_number() ? test_of(source.predicate(), with.number) : std::nullopt;
    if (!compared) return found;
    const bool is_swapped = test.if_true == Outcome::Zero;
    test = *compared;
    if (is_swapped) std::swap(test.if_true, test.if_false);
    condition = operands[0];
  }
  return found;
}

}  // namespace heddle::scan
