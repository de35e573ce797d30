// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/numbers.h"

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

constexpr std::size_t deepest = 200;

std::uint64_t without_sign(std::int64_t number, std::uint64_t bits) {
  const auto kept = static_cast<std::uint64_t>(number);
  return bits == 0 || bits >= 64 ? kept : kept & ((std::uint64_t{1} << bits) - 1);
}

std::optional<std::int64_t> computed(BinaryOp op, std::int64_t left, std::int64_t right, std::uint64_t bits) {
  const auto a = static_cast<std::uint64_t>(left), b = static_cast<std::uint64_t>(right);
  const bool shifts = right >= 0 && static_cast<std::uint64_t>(right) < bits;
  switch (op) {
    case BinaryOp::Add: return with_sign(a + b, bits);
    case BinaryOp::Sub: return with_sign(a - b, bits);
    case BinaryOp::Mul: return with_sign(a * b, bits);
    case BinaryOp::And: return with_sign(a & b, bits);
    case BinaryOp::Or: return with_sign(a | b, bits);
    case BinaryOp::Xor: return with_sign(a ^ b, bits);
    case BinaryOp::Shl: return shifts ? std::optional(with_sign(a << b, bits)) : std::nullopt;
    case BinaryOp::LShr: return shifts ? std::optional(with_sign(without_sign(left, bits) >> b, bits)) : std::nullopt;
    case BinaryOp::AShr: return shifts ? std::optional(left >> right) : std::nullopt;
    case BinaryOp::SDiv: return right > 0 ? std::optional(left / right) : std::nullopt;
    case BinaryOp::SRem: return right > 0 ? std::optional(left % right) : std::nullopt;
    case BinaryOp::UDiv: return right > 0 ? std::optional(with_sign(without_sign(left, bits) / b, bits)) : std::nullopt;
    case BinaryOp::URem: return right > 0 ? std::optional(with_sign(without_sign(left, bits) % b, bits)) : std::nullopt;
    default: return std::nullopt;
  }
}

}  // namespace

std::optional<std::int64_t> Numbers::of(FunctionId function, Operand operand) {
  if (operand.is_constant()) return signed_number(program_, program_.constants[operand.as_constant()]);
  if (!operand.is_value()) return std::nullopt;
  const Key key{function, operand.as_value()};
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  if (under_way_.size() > deepest || !under_way_.insert(key).second) return std::nullopt;
  const auto number = compute(function, operand.as_value());
  under_way_.erase(key);
  // What was asked for while its own value was being worked out is not kept: it may be known from elsewhere.
  if (number || under_way_.empty()) known_[key] = number;
  return number;
}

std::optional<std::int64_t> Numbers::compute(FunctionId id, ValueId value) {
  const Function& function = program_.functions[id];
  if (function.is_parameter(value)) return parameter(id, value.index());
  const Instruction& code = function.instructions[function.definition(value)];
  const auto operands = function.operands_of(code);
  const auto bits_of = [&](TypeId type) { return program_.types[type].value_bits; };
  switch (code.opcode) {
    case Opcode::Freeze: return of(id, operands[0]);
    case Opcode::Select: return same(id, operands.subspan(1, 2));
    case Opcode::Cast: {
      const auto number = of(id, operands[0]);
      const CastOp op = code.cast_op();
      if (!number || (op != CastOp::Trunc && op != CastOp::SExt && op != CastOp::ZExt)) return std::nullopt;
      if (op == CastOp::SExt) return number;
      if (op == CastOp::Trunc) return with_sign(static_cast<std::uint64_t>(*number), bits_of(code.type));
      const Operand from = operands[0];
      const TypeId narrow = from.is_constant() ? program_.constants[from.as_constant()].type
                            : function.is_parameter(from.as_value())
                                ? function.parameters[from.as_value().index()]
                                : function.instructions[function.definition(from.as_value())].type;
      return with_sign(without_sign(*number, bits_of(narrow)), bits_of(code.type));
    }
    case Opcode::Binary: {
      const auto left = of(id, operands[0]);
      const auto right = left ? of(id, operands[1]) : std::nullopt;
      return right ? computed(code.binary_op(), *left, *right, bits_of(code.type)) : std::nullopt;
    }
    default: return std::nullopt;
  }
}

std::optional<std::int64_t> Numbers::same(FunctionId function, std::span<const Operand> operands) {
  std::optional<std::int64_t> common;
  for (const Operand operand : operands) {
    const auto number = of(function, operand);
    if (!number || (common && *common != *number)) return std::nullopt;
    common = number;
  }
  return common;
}

std::optional<std::int64_t> Numbers::parameter(FunctionId function, std::size_t index) {
  std::optional<std::int64_t> common;
  for (const CallPoint& call : calls_.callers(function)) {
    const Function& caller = program_.functions[call.caller];
    const auto arguments = caller.arguments_of(caller.instructions[call.instruction]);
    if (index >= arguments.size()) return std::nullopt;
    const auto number = of(call.caller, arguments[index]);
    if (!number || (common && *common != *number)) return std::nullopt;
    common = number;
  }
  return common;
}

}  // namespace heddle::depend
