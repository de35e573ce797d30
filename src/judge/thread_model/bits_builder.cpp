// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Single bits of numbers, for flags that share a word: beside a variable of memory there is one for each bit of it that
// decides something (asked_bits.h), and beside a value that was read, too.
#include <utility>

#include "judge/thread_model/thread_builder.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::uint32_t bit_part = 16, next_bit_part = bit_part + 64;  // of what `local` numbers
constexpr Interval zero_or_one{0, 1};

template <class Do>
void on_each_bit(std::uint64_t mask, const Do& act) {
  for (unsigned bit = 0; mask != 0; ++bit, mask >>= 1)
    if ((mask & 1) != 0) act(bit);
}

using Bit = std::optional<LinearForm>;

Bit not_of(const Bit& bit) { return bit ? sum(LinearForm::number(1), *bit, -1) : std::nullopt; }

Bit combined(BinaryOp op, const Bit& left, const Bit& right) {
  const auto is = [](const Bit& bit, std::int64_t number) { return bit && *bit == LinearForm::number(number); };
  const auto with = [&](const Bit& known, const Bit& other) -> std::optional<Bit> {
    for (const std::int64_t number : {0, 1}) {
      if (!is(known, number)) continue;
      if (op == BinaryOp::And) return number == 0 ? known : other;
      if (op == BinaryOp::Or) return number == 1 ? known : other;
      return number == 0 ? other : not_of(other);
    }
    return std::nullopt;
  };
  if (const auto out = with(left, right)) return *out;
  if (const auto out = with(right, left)) return *out;
  return op != BinaryOp::Xor && left && left == right ? left : std::nullopt;
}

}  // namespace

/// The bits of what an instruction reads that are followed; of what is computed, they follow from those.
std::uint64_t ThreadBuilder::told_bits(const Frame& frame, std::uint32_t index) const {
  const Instruction& code = frame.function->instructions[index];
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::AtomicRmw:
    case Opcode::Phi:
    case Opcode::Select:
    case Opcode::Call: return shop_.asked.of(frame.id, frame.function->result_of(index));
    default: return 0;
  }
}

/// None: nobody knows.
std::optional<LinearForm> ThreadBuilder::bit(const Frame& frame, Operand operand, unsigned position) const {
  if (const auto number = constant(frame, operand))
    return LinearForm::number(static_cast<std::int64_t>((static_cast<std::uint64_t>(*number) >> position) & 1));
  if (!operand.is_value() || position >= bits_of(frame, operand)) return std::nullopt;
  if (bits_of(frame, operand) == 1) return number(frame, operand);
  const Function& f = *frame.function;
  const ValueId value = operand.as_value();
  if (f.is_parameter(value)) {
    const std::size_t k = value.index();
    const bool is_passed = frame.caller != nullptr && k < frame.given.size() &&
                           frame.given[k].kind() != Operand::Kind::None &&
                           bits_of(*frame.caller, frame.given[k]) == bits_of(frame, operand);
    return is_passed ? bit(*frame.caller, frame.given[k], position) : std::nullopt;
  }
  const auto index = static_cast<std::uint32_t>(f.definition(value));
  const Instruction& code = f.instructions[index];
  const auto operands = f.operands_of(code);
  switch (code.opcode) {
    case Opcode::Freeze: return bit(frame, operands[0], position);
    case Opcode::Cast: {
      const unsigned from = bits_of(frame, operands[0]);
      const bool is_number =
          code.cast_op() == CastOp::ZExt || code.cast_op() == CastOp::SExt || code.cast_op() == CastOp::Trunc;
      if (!is_number || from == 0) return std::nullopt;
      if (position < from) return bit(frame, operands[0], position);
      return code.cast_op() == CastOp::ZExt ? std::optional(LinearForm::number(0)) : std::nullopt;
    }
    case Opcode::Binary:
      switch (code.binary_op()) {
        case BinaryOp::And:
        case BinaryOp::Or:
        case BinaryOp::Xor:
          return combined(code.binary_op(), bit(frame, operands[0], position), bit(frame, operands[1], position));
        case BinaryOp::Shl:
        case BinaryOp::LShr: {
          const auto by = constant(frame, operands[1]);
          const unsigned width = bits_of(frame, operand);
          if (!by || *by < 0 || *by >= width) return std::nullopt;
          const auto distance = static_cast<unsigned>(*by);
          const bool is_left = code.binary_op() == BinaryOp::Shl;
          if (is_left ? position < distance : position + distance >= width) return LinearForm::number(0);
          return bit(frame, operands[0], is_left ? position - distance : position + distance);
        }
        default: return std::nullopt;
      }
    default: break;
  }
  if (((told_bits(frame, index) >> position) & 1) == 0) return std::nullopt;
  return LinearForm::variable(local(frame, index, bit_part + position));
}

/// What is left of a number under a mask of a few bits that are all followed.
std::optional<LinearForm> ThreadBuilder::masked(const Frame& frame, Operand operand, std::int64_t mask) const {
  if (!AskedBits::is_few(static_cast<std::uint64_t>(mask)) || mask < 0) return std::nullopt;
  std::optional<LinearForm> out = LinearForm::number(0);
  on_each_bit(static_cast<std::uint64_t>(mask), [&](unsigned position) {
    const auto one = out ? bit(frame, operand, position) : std::nullopt;
    constexpr unsigned most = 62;
    out = one && position < most ? sum(std::move(*out), *one, std::int64_t{1} << position) : std::nullopt;
  });
  return out;
}

/// The result of an instruction has the bits of that operand; none: any.
void ThreadBuilder::tell_bits(const Frame& frame, std::uint32_t index, std::optional<Operand> from) {
  on_each_bit(told_bits(frame, index), [&](unsigned position) {
    add(becomes(local(frame, index, bit_part + position), from ? bit(frame, *from, position) : std::nullopt,
                zero_or_one));
  });
}

/// Of a phi, on the edge from where the operand comes.
void ThreadBuilder::tell_phi_bits(const Frame& frame, std::uint32_t index, Operand from, std::vector<Act>& acts,
                                  std::vector<Act>& moves) const {
  on_each_bit(told_bits(frame, index), [&](unsigned position) {
    const VariableIndex next = local(frame, index, next_bit_part + position);
    acts.push_back(becomes(next, bit(frame, from, position), zero_or_one));
    moves.push_back(Assign{local(frame, index, bit_part + position), LinearForm::variable(next), zero_or_one, false});
  });
}

/// Of what was read from the cell.
void ThreadBuilder::tell_read_bits(const Frame& frame, std::uint32_t index, std::optional<VariableIndex> cell,
                                   std::optional<std::int64_t> number) {
  on_each_bit(told_bits(frame, index), [&](unsigned position) {
    const VariableIndex here = local(frame, index, bit_part + position);
    if (number) return add(becomes(here, LinearForm::number((*number >> position) & 1), zero_or_one));
    const auto known = cell ? shop_.names.bit(*cell, position) : std::nullopt;
    add(becomes(here, known ? std::optional(LinearForm::variable(*known)) : std::nullopt, zero_or_one));
  });
}

/// Of what a function returns, in the frame of its caller.
void ThreadBuilder::tell_returned_bits(const Frame& frame, Operand returned) {
  if (!frame.result || frame.caller == nullptr) return;
  on_each_bit(told_bits(*frame.caller, frame.call), [&](unsigned position) {
    add(becomes(local(*frame.caller, frame.call, bit_part + position), bit(frame, returned, position), zero_or_one));
  });
}

/// What is in the cells now was computed from what is there no more: so the new bits are asked for first.
std::vector<ThreadBuilder::BitOfCell> ThreadBuilder::bits_behind(const Frame& frame, const Instruction& code,
                                                                 const Written& way) const {
  const auto operands = frame.function->operands_of(code);
  const bool is_update = code.opcode == Opcode::AtomicRmw;
  const Operand given = operands[is_update ? 1 : 0];
  const auto behind = [&](VariableIndex before, unsigned position) -> Bit {
    const Bit other = bit(frame, given, position);
    if (!is_update || code.rmw_op() == RmwOp::Xchg) return other;
    const Bit own = LinearForm::variable(before);
    switch (code.rmw_op()) {
      case RmwOp::And: return combined(BinaryOp::And, own, other);
      case RmwOp::Or: return combined(BinaryOp::Or, own, other);
      case RmwOp::Xor: return combined(BinaryOp::Xor, own, other);
      default: return std::nullopt;
    }
  };
  std::vector<BitOfCell> out;
  for (const auto& cell : {way.own, way.element}) {
    if (!cell) continue;
    for (const auto& [position, variable] : shop_.names.bits_of(*cell, shop_.asked.of_memory()))
      if (Bit form = behind(variable, position)) out.push_back({variable, std::move(*form)});
  }
  return out;
}

}  // namespace heddle::judge::transaction
