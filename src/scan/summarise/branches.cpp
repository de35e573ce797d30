// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What branches say about values: `if (f())`, `if (f() == 0)`, `if (need_lock)`.
#include "program/model/function_queries.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {

void Summariser::execute_branch(std::uint32_t rank, const Instruction& branch) {
  Operand condition = f_->operands_of(branch)[0];
  Test test{0, Outcome::NonZero, Outcome::Zero};
  for (int depth = 0; depth < 8; ++depth) {
    if (!condition.is_value()) return;
    test.value = condition.index();
    tests_[rank] = test;
    if (f_->is_parameter(condition.as_value())) return;
    const Instruction& source = f_->instructions[f_->definition(condition.as_value())];
    const auto operands = f_->operands_of(source);
    if (source.opcode == Opcode::Cast || source.opcode == Opcode::Freeze) {
      condition = operands[0];
      continue;
    }
    if (test.if_true != Outcome::Zero && test.if_true != Outcome::NonZero) return;
    if (source.opcode == Opcode::Binary && source.binary_op() == BinaryOp::Xor) {
      // Of one bit, it is "not".
      if (value_of(operands[1]).kind != SymbolicValue::Kind::Number || in_.program.types[source.type].value_bits != 1)
        return;
      std::swap(test.if_true, test.if_false);
      condition = operands[0];
      continue;
    }
    if (source.opcode != Opcode::Compare) return;
    const SymbolicValue with = value_of(operands[1]);
    if (with.kind != SymbolicValue::Kind::Number) return;
    const bool swap = test.if_true == Outcome::Zero;
    switch (source.predicate()) {
      case Predicate::Eq:
        test = {0, with.number == 0 ? Outcome::Zero : Outcome::NonZero,
                with.number == 0 ? Outcome::NonZero : Outcome::Always};
        break;
      case Predicate::Ne:
        test = {0, with.number == 0 ? Outcome::NonZero : Outcome::Always,
                with.number == 0 ? Outcome::Zero : Outcome::NonZero};
        break;
      case Predicate::Slt:
        if (with.number != 0) return;
        test = {0, Outcome::Negative, Outcome::NonNegative};
        break;
      case Predicate::Sgt:
        if (with.number != -1) return;
        test = {0, Outcome::NonNegative, Outcome::Negative};
        break;
      case Predicate::Sge:
        if (with.number != 0) return;
        test = {0, Outcome::NonNegative, Outcome::Negative};
        break;
      default: return;
    }
    if (swap) std::swap(test.if_true, test.if_false);
    condition = operands[0];
  }
}

/// Whether a branch can go that way, where the value is a number, or is assumed to be zero or not. Other numbers than 0
/// and 1 may have been cut by a cast.
bool Summariser::may_go(std::uint32_t rank, std::size_t successor) const {
  if (!tests_[rank]) return true;
  if (tests_[rank]->value == split_)
    return tests_[rank]->on(successor) == assumed_ || tests_[rank]->on(successor) > Outcome::NonZero ||
           tests_[rank]->on(successor) == Outcome::Always;
  const SymbolicValue& value = values_[tests_[rank]->value];
  if (value.kind != SymbolicValue::Kind::Number || (value.number != 0 && value.number != 1)) return true;
  const Outcome outcome = tests_[rank]->on(successor);
  return outcome == Outcome::Zero ? value.number == 0 : outcome != Outcome::NonZero || value.number != 0;
}

/// A value that several branches ask for, so that they go the same way: `if (need_lock) lock(); …; if (need_lock)
/// unlock();`. It has one content in a call: a parameter, or made outside of loops.
std::uint32_t Summariser::find_split() const {
  const auto is_asked = [&](std::uint32_t rank) {
    return tests_[rank] && tests_[rank]->if_true <= Outcome::NonZero && tests_[rank]->if_false <= Outcome::NonZero &&
           values_[tests_[rank]->value].kind != SymbolicValue::Kind::Number;
  };
  std::uint32_t found = none;
  for (std::uint32_t first = 0; first < tests_.size(); ++first) {
    if (!is_asked(first)) continue;
    const std::uint32_t value = tests_[first]->value;
    const bool is_parameter = value < f_->parameters.size();
    if (!is_parameter && (found != none || is_in_loop(value))) continue;
    for (std::uint32_t second = first + 1; second < tests_.size(); ++second)
      if (is_asked(second) && tests_[second]->value == value) {
        if (is_parameter) return value;
        found = value;
        break;
      }
  }
  return found;
}

bool Summariser::is_in_loop(std::uint32_t value) const {
  return innermost_loop(cfg_.rank[block_of(*f_, f_->definition(ValueId(value))).index()]) != nullptr;
}

/// What a group of a callee says of its parameter, said of ours: none if it cannot be so at this call.
std::optional<std::uint8_t> Summariser::bound_condition(const BoundCall& call, std::uint8_t when, std::uint8_t here) {
  if (when == always) return here;
  const std::size_t parameter = (when - 1U) / 2;
  const bool is_zero = (when - 1U) % 2 == 0;
  const auto operands = f_->operands_of(f_->instructions[call.instruction]);
  if (parameter + 1 >= operands.size()) return here;
  if (const SymbolicValue value = value_of(operands[parameter + 1]); value.kind == SymbolicValue::Kind::Number)
    return (value.number == 0) == is_zero ? std::optional(here) : std::nullopt;
  const Operand given = without_casts(*f_, operands[parameter + 1]);
  if (here != always || !given.is_value() || !f_->is_parameter(given.as_value())) return here;
  return condition_on(given.index(), is_zero ? Outcome::Zero : Outcome::NonZero);
}

std::uint8_t Summariser::condition_on(std::uint32_t value, Outcome outcome) const {
  constexpr std::uint32_t most = 100;
  if (value >= f_->parameters.size() || value >= most) return always;
  return static_cast<std::uint8_t>(1 + 2 * value + (outcome == Outcome::Zero ? 0 : 1));
}

}  // namespace heddle::scan
