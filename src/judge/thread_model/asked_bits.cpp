// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_model/asked_bits.h"

#include <bit>

#include "program/model/function_queries.h"

namespace heddle::judge::transaction {
namespace {

constexpr unsigned most_callers_above = 3;

std::uint64_t bits_below(unsigned width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

}  // namespace

/// `i & 7` is an index, not three flags.
bool AskedBits::is_few(std::uint64_t mask) {
  constexpr int most = 4;
  const int count = std::popcount(mask);
  return count > 0 && count <= most && (count <= 2 || (mask & (mask + 1)) != 0);
}

AskedBits::AskedBits(const Program& program)
    : program_(program), masks_(program.functions.size()), calls_(program.functions.size()) {
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& f = program.functions[FunctionId(i)];
    masks_[i].resize(f.value_count());
    for (std::uint32_t k = 0; k < f.instructions.size(); ++k)
      if (f.instructions[k].is_call())
        if (const Operand callee = f.operands_of(f.instructions[k])[0]; callee.is_function())
          calls_[callee.as_function().index()].emplace_back(i, k);
  }
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const FunctionId id(i);
    const Function& f = program.functions[id];
    for (const Instruction& code : f.instructions) {
      const auto operands = f.operands_of(code);
      if (code.opcode == Opcode::Cast && code.cast_op() == CastOp::Trunc && program.types[code.type].value_bits == 1)
        ask(id, operands[0], 1);
      if (code.opcode != Opcode::Binary || code.binary_op() != BinaryOp::And) continue;
      for (const std::size_t side : {0, 1})
        ask(id, operands[side], masks_passed(id, operands[1 - side], most_callers_above));
    }
  }
  while (!work_.empty()) {
    const Asked next = work_.back();
    work_.pop_back();
    ask_sources(next);
  }
}

/// The masks of a few bits that it can be, as far as it is easily known.
std::uint64_t AskedBits::masks_passed(FunctionId id, Operand operand, unsigned depth) const {
  const Function& f = program_.functions[id];
  if (operand.is_constant()) {
    const Constant& constant = program_.constants[operand.as_constant()];
    return constant.kind == Constant::Kind::Int && is_few(constant.bits) ? constant.bits : 0;
  }
  if (depth == 0 || !operand.is_value() || !f.is_parameter(operand.as_value())) return 0;
  std::uint64_t out = 0;
  for (const auto& [caller, call] : calls_[id.index()]) {
    const Function& from = program_.functions[caller];
    const auto arguments = from.arguments_of(from.instructions[call]);
    const std::size_t k = operand.as_value().index();
    if (k < arguments.size()) out |= masks_passed(caller, arguments[k], depth - 1);
  }
  return out;
}

unsigned AskedBits::width(FunctionId id, Operand operand) const {
  const Function& f = program_.functions[id];
  const ValueId value = operand.as_value();
  const TypeId type = f.is_parameter(value) ? f.parameters[value.index()] : f.instructions[f.definition(value)].type;
  const Type& t = program_.types[type];
  return t.kind == TypeKind::Int && t.value_bits <= 64 ? static_cast<unsigned>(t.value_bits) : 0;
}

void AskedBits::ask(FunctionId id, Operand operand, std::uint64_t mask) {
  if (!operand.is_value()) return;
  const unsigned bits = width(id, operand);
  if (bits < 2) return;
  std::uint64_t& known = masks_[id.index()][operand.as_value().index()];
  const std::uint64_t more = mask & bits_below(bits) & ~known;
  if (more == 0) return;
  known |= more;
  work_.push_back({id, operand.as_value()});
}

void AskedBits::ask_sources(const Asked& asked) {
  const Function& f = program_.functions[asked.function];
  const std::uint64_t mask = of(asked.function, asked.value);
  if (f.is_parameter(asked.value)) {
    for (const auto& [caller, call] : calls_[asked.function.index()]) {
      const Function& from = program_.functions[caller];
      const auto arguments = from.arguments_of(from.instructions[call]);
      if (asked.value.index() < arguments.size()) ask(caller, arguments[asked.value.index()], mask);
    }
    return;
  }
  const Instruction& code = f.instructions[f.definition(asked.value)];
  const auto operands = f.operands_of(code);
  const auto from = [&](std::size_t k, std::uint64_t bits) { ask(asked.function, operands[k], bits); };
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::AtomicRmw:
      if ((mask & ~of_memory_) != 0) {
        of_memory_ |= mask;
        ask_stores();
      }
      return;
    case Opcode::Binary: {
      const auto by = constant_number(program_, f, operands[1]);
      const bool shifts = by && *by >= 0 && *by < 64;
      switch (code.binary_op()) {
        case BinaryOp::And:
        case BinaryOp::Or:
        case BinaryOp::Xor: return from(0, mask), from(1, mask);
        case BinaryOp::Shl: return shifts ? from(0, mask >> *by) : void();
        case BinaryOp::LShr: return shifts ? from(0, mask << *by) : void();
        default: return;
      }
    }
    case Opcode::Cast:
      switch (code.cast_op()) {
        case CastOp::ZExt:
        case CastOp::SExt:
        case CastOp::Trunc: return from(0, mask);
        default: return;
      }
    case Opcode::Freeze: return from(0, mask);
    case Opcode::Select: return from(1, mask), from(2, mask);
    case Opcode::Phi:
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2) from(k, mask);
      return;
    case Opcode::Call:
      if (operands[0].is_function()) {
        const FunctionId callee = operands[0].as_function();
        const Function& target = program_.functions[callee];
        for (const Instruction& end : target.instructions)
          if (end.opcode == Opcode::Return && end.operand_count != 0) ask(callee, target.operands_of(end)[0], mask);
      }
      return;
    default: return;
  }
}

void AskedBits::ask_stores() {
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const Function& f = program_.functions[FunctionId(i)];
    for (const Instruction& code : f.instructions) {
      if (code.opcode == Opcode::Store) ask(FunctionId(i), f.operands_of(code)[0], of_memory_);
      if (code.opcode == Opcode::AtomicRmw) ask(FunctionId(i), f.operands_of(code)[1], of_memory_);
    }
  }
}

}  // namespace heddle::judge::transaction
