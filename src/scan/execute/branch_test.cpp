// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/branch_test.h"

#include <utility>

#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

/// Of a comparison with a number; none if it says nothing about the value.
std::optional<BranchTest> test_of(Predicate predicate, std::int64_t number) {
  switch (predicate) {
    case Predicate::Eq:
      return number == 0 ? BranchTest{0, ResultSign::Zero, ResultSign::NonZero}
                         : BranchTest{0, ResultSign::NonZero, ResultSign::Always};
    case Predicate::Ne:
      return number == 0 ? BranchTest{0, ResultSign::NonZero, ResultSign::Zero}
                         : BranchTest{0, ResultSign::Always, ResultSign::NonZero};
    case Predicate::Slt:
      if (number != 0) return std::nullopt;
      return BranchTest{0, ResultSign::Negative, ResultSign::NonNegative};
    case Predicate::Sgt:
      if (number != -1) return std::nullopt;
      return BranchTest{0, ResultSign::NonNegative, ResultSign::Negative};
    case Predicate::Sge:
      if (number != 0) return std::nullopt;
      return BranchTest{0, ResultSign::NonNegative, ResultSign::Negative};
    // Without signs the numbers that stand for errors are the highest.
    case Predicate::Ugt:
      if (number != -SymbolicValue::most_errors - 1) return std::nullopt;
      return BranchTest{0, ResultSign::Error, ResultSign::NotError};
    case Predicate::Uge:
      if (number != -SymbolicValue::most_errors) return std::nullopt;
      return BranchTest{0, ResultSign::Error, ResultSign::NotError};
    case Predicate::Ult:
      if (number != -SymbolicValue::most_errors) return std::nullopt;
      return BranchTest{0, ResultSign::NotError, ResultSign::Error};
    case Predicate::Ule:
      if (number != -SymbolicValue::most_errors - 1) return std::nullopt;
      return BranchTest{0, ResultSign::NotError, ResultSign::Error};
    default: return std::nullopt;
  }
}

/// Whether the result is negative, or stands for an error, if and only if the operand does.
bool keeps_sign(const Program& program, const Instruction& cast) {
  if (cast.opcode == Opcode::Freeze) return true;
  if (cast.opcode != Opcode::Cast) return false;
  const bool is_as_wide = program.types[cast.type].value_bits == program.layout.pointer_bits;
  return cast.cast_op() == CastOp::SExt || (cast.cast_op() == CastOp::PtrToInt && is_as_wide);
}

/// What a function returns that is one block; none if it is not.
std::optional<Operand> only_result(const Function& function) {
  if (function.blocks.size() != 1 || function.instructions.empty()) return std::nullopt;
  const Instruction& last = function.instructions.back();
  const auto operands = function.operands_of(last);
  return last.opcode == Opcode::Return && !operands.empty() ? std::optional(operands[0]) : std::nullopt;
}

/// From a condition back to the value that is asked for.
class TestWalk {
 public:
  TestWalk(const Program& program, const Function& function, ValueNames& names)
      : program_(program), function_(function), names_(names) {}

  /// What it means that the condition is not zero.
  std::optional<BranchTest> run(Operand condition) {
    std::optional<BranchTest> found;
    for (int depth = 0; depth < most_steps; ++depth) {
      if (!condition.is_value()) return found;
      test_.value = condition.index();
      found = test_;
      const auto next = step(function_, condition, [&](Operand one) {
        const SymbolicValue value = names_.value_of(one);
        return value.is_number() ? std::optional(value.number) : std::nullopt;
      });
      if (!next) return found;
      condition = *next;
    }
    return found;
  }

 private:
  static constexpr int most_steps = 8;

  /// One step back; none if the value itself is asked for.
  template <class NumberOf>
  std::optional<Operand> step(const Function& f, Operand condition, NumberOf number_of) {
    const Instruction* source = definition_of(f, condition);
    if (source == nullptr) return std::nullopt;
    const auto operands = f.operands_of(*source);
    if (test_.asks_for_zero() ? keeps_zero(program_, *source) : keeps_sign(program_, *source)) return operands[0];
    if (test_.if_true != ResultSign::Zero && test_.if_true != ResultSign::NonZero) return std::nullopt;
    if (source->is_call()) return &f == &function_ ? through(*source) : std::nullopt;
    if (source->opcode == Opcode::Binary && source->binary_op() == BinaryOp::Xor) {
      // Of one bit, it is "not".
      if (!number_of(operands[1]) || program_.types[source->type].value_bits != 1) return std::nullopt;
      std::swap(test_.if_true, test_.if_false);
      return operands[0];
    }
    if (source->opcode != Opcode::Compare) return std::nullopt;
    const auto with = number_of(operands[1]);
    const auto compared = with ? test_of(source->predicate(), *with) : std::nullopt;
    if (!compared) return std::nullopt;
    const bool is_swapped = test_.if_true == ResultSign::Zero;
    test_ = *compared;
    if (is_swapped) std::swap(test_.if_true, test_.if_false);
    return operands[0];
  }

  /// The argument that a function asks for, if that is all it returns: `IS_ERR(p)`.
  std::optional<Operand> through(const Instruction& call) {
    const Operand callee = function_.operands_of(call)[0];
    if (!callee.is_function() || !program_.functions[callee.as_function()].has_body()) return std::nullopt;
    const Function& f = program_.functions[callee.as_function()];
    std::optional<Operand> asked = only_result(f);
    const BranchTest before = test_;
    for (int depth = 0; asked && depth < most_steps; ++depth) {
      const auto arguments = function_.arguments_of(call);
      if (asked->is_value() && f.is_parameter(asked->as_value()) && asked->index() < arguments.size())
        return arguments[asked->index()];
      asked = step(f, *asked, [&](Operand one) {
        return one.is_constant() ? signed_number(program_, program_.constants[one.as_constant()]) : std::nullopt;
      });
    }
    test_ = before;
    return std::nullopt;
  }

  const Program& program_;
  const Function& function_;
  ValueNames& names_;
  BranchTest test_{0, ResultSign::NonZero, ResultSign::Zero};
};

}  // namespace

Operand before_casts(const Program& program, const Function& function, Operand operand) {
  while (operand.is_value() && !function.is_parameter(operand.as_value())) {
    const Instruction& source = function.instructions[function.definition(operand.as_value())];
    if (!keeps_zero(program, source)) break;
    operand = function.operands_of(source)[0];
  }
  return operand;
}

ResultSign sign_of(ValueNames& names, Operand value) {
  if (names.value_of(value).is_null()) return ResultSign::Zero;
  return names.is_surely_not_zero(value) ? ResultSign::NonZero : ResultSign::Always;
}

std::optional<BranchTest> find_test(const ScanInput& input, const Function& function, ValueNames& names,
                                    const Instruction& branch) {
  return TestWalk(input.program, function, names).run(function.operands_of(branch)[0]);
}

}  // namespace heddle::scan
