// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operands are.
#include <algorithm>
#include <iterator>
#include <utility>

#include "judge/thread_model/thread_builder.h"
#include "program/model/accessed_bytes.h"
#include "program/model/function_queries.h"

namespace heddle::judge::transaction {

unsigned ThreadBuilder::number_bits(TypeId type) const {
  const Type& t = program_.types[type];
  if (t.kind == TypeKind::Pointer) return program_.layout.pointer_bits;
  return t.kind == TypeKind::Int && t.value_bits <= 64 ? static_cast<unsigned>(t.value_bits) : 0;
}

/// Addresses of fewer bits have no sign: an object may lie across the middle.
Interval ThreadBuilder::number_range(TypeId type) const {
  const unsigned bits = number_bits(type);
  if (program_.types[type].kind == TypeKind::Pointer && bits < 64) return {0, (std::int64_t{1} << bits) - 1};
  return Interval::of_width(bits);
}

std::optional<VariableIndex> ThreadBuilder::cell(const Memory& memory, TypeId type) const {
  return shop_.names.cell(memory, accessed_bytes(program_.types[type]), number_bits(type), number_range(type));
}

VariableIndex ThreadBuilder::local(const Frame& frame, std::uint32_t instruction, std::uint32_t part) const {
  const auto next = static_cast<VariableIndex>(first_local + locals_.size());
  return locals_.try_emplace({frame.number, instruction, part}, next).first->second;
}

Known ThreadBuilder::known(const Frame& frame, Operand operand) const {
  switch (operand.kind()) {
    case Operand::Kind::Function: return {.function = operand.as_function()};
    case Operand::Kind::Global: {
      const auto object = shop_.memory.of(operand.as_global());
      if (!object || program_.globals[operand.as_global()].is_thread_local) return {};
      return {.number = LinearForm::variable(shop_.names.address(*object)),
              .memory = shop_.memory.is_single(*object) ? std::optional(Memory{.object = *object}) : std::nullopt};
    }
    case Operand::Kind::Constant: {
      const Constant& constant = program_.constants[operand.as_constant()];
      if (constant.kind == Constant::Kind::Null) return {.number = LinearForm::number(0)};
      if (constant.kind != Constant::Kind::Int || number_bits(constant.type) == 0) return {};
      return {.number = LinearForm::number(numeric::sign_extend(constant.bits, number_bits(constant.type)))};
    }
    case Operand::Kind::Value: {
      const ValueId value = operand.as_value();
      if (!frame.function->is_parameter(value))
        return known_result(frame, static_cast<std::uint32_t>(frame.function->definition(value)));
      return value.index() < frame.arguments.size() ? frame.arguments[value.index()] : Known();
    }
    case Operand::Kind::None:
    case Operand::Kind::Block:
    case Operand::Kind::Asm: return {};
  }
  return {};
}

Known ThreadBuilder::known_result(const Frame& frame, std::uint32_t index) const {
  const Instruction& code = frame.function->instructions[index];
  const auto operands = frame.function->operands_of(code);
  switch (code.opcode) {
    case Opcode::Alloca: {
      const auto object = shop_.memory.of(frame.id, index);
      if (!object) return {};
      if (!shop_.memory.is_single(*object)) return {.memory = Memory{.object = *object, .frame = frame.number + 1}};
      return {.number = LinearForm::variable(shop_.names.address(*object)), .memory = Memory{.object = *object}};
    }
    case Opcode::Gep: {
      Known out{.number = address_behind(frame, code)};
      const GepInfo& gep = frame.function->geps[code.extra];
      if (!gep.strides.empty()) return out;
      out.memory = known(frame, operands[0]).memory;
      if (!out.memory) return out;
      out.memory->offset += gep.constant_offset;
      if (!out.number && out.memory->is_single())
        out.number = LinearForm::variable(shop_.names.address(out.memory->object), 1, out.memory->offset);
      return out;
    }
    case Opcode::Cast:
      if (code.cast_op() == CastOp::Bitcast || code.cast_op() == CastOp::AddrSpaceCast)
        if (const Known from = known(frame, operands[0]); from.memory) return from;
      break;
    default: break;
  }
  if (number_bits(code.type) == 0) return {};
  return {.number = LinearForm::variable(local(frame, index))};
}

/// Where the compiler says that the address stays in its object, it does not wrap.
std::optional<LinearForm> ThreadBuilder::address_behind(const Frame& frame, const Instruction& code) const {
  const auto operands = frame.function->operands_of(code);
  const GepInfo& gep = frame.function->geps[code.extra];
  if (number_bits(code.type) == 0 || !code.has_flag(Instruction::in_bounds)) return std::nullopt;
  auto out = number(frame, operands[0]);
  if (out) out = sum(std::move(*out), LinearForm::number(gep.constant_offset));
  for (std::size_t k = 0; out && k < gep.strides.size(); ++k) {
    const unsigned bits = bits_of(frame, operands[k + 1]);
    const auto index = number(frame, operands[k + 1]);
    if (bits < 2 || bits > program_.layout.pointer_bits || !index) return std::nullopt;
    out = sum(std::move(*out), *index, gep.strides[k]);
  }
  return out;
}

std::optional<LinearForm> ThreadBuilder::number(const Frame& frame, Operand operand) const {
  return known(frame, operand).number;
}

std::optional<Memory> ThreadBuilder::memory(const Frame& frame, Operand operand) const {
  if (const Known value = known(frame, operand); value.memory) return value.memory;
  const std::vector<Target> all = targets(frame, operand);
  if (all.size() != 1 || !shop_.memory.is_single(all.front().object)) return std::nullopt;
  if (!all.front().is_exact() || all.front().is_past) return std::nullopt;
  return Memory{.object = all.front().object, .offset = all.front().offset};
}

/// Finer than PointsTo where the calls above the frame tell more.
std::vector<Target> ThreadBuilder::targets(const Frame& frame, Operand operand) const {
  const Function& f = *frame.function;
  if (operand.is_value() && f.is_parameter(operand.as_value())) {
    const std::size_t k = operand.as_value().index();
    if (frame.caller != nullptr && k < frame.given.size() && frame.given[k].kind() != Operand::Kind::None)
      return targets(*frame.caller, frame.given[k]);
    if (k == 0 && !frame.targets.empty()) return frame.targets;
  }
  const auto coarse = [&] { return shop_.memory.points().targets(frame.id, operand); };
  const Instruction* code = definition_of(f, operand);
  if (code == nullptr) return coarse();
  const auto operands = f.operands_of(*code);
  if (code->opcode == Opcode::Load) {
    const auto from = memory(frame, operands[0]);
    if (!from) return coarse();
    const std::uint64_t size = accessed_bytes(program_.types[code->type]);
    if (size * 8 == program_.layout.pointer_bits)
      if (auto seen = shop_.names.contents(*from)) return *seen;
    return shop_.memory.points().contents({from->object, from->offset}, size);
  }
  if (code->opcode == Opcode::Gep && f.geps[code->extra].strides.empty()) {
    std::vector<Target> out;
    for (const Target& target : targets(frame, operands[0]))
      std::ranges::copy(alias::further(target, f.geps[code->extra].constant_offset), std::back_inserter(out));
    return out;
  }
  return coarse();
}

namespace {

constexpr std::size_t most_ways = 8;

}  // namespace

/// Ways in which the operand, of one bit, is true or false: what holds on each; one that is empty: nothing is known. A
/// value keeps its content until what it was computed from is computed anew, for that stands before it on every path.
std::vector<std::vector<Act>> ThreadBuilder::ways(const Frame& frame, Operand operand, bool truth) const {
  const std::vector<std::vector<Act>> any{{}};
  const Known value = known(frame, operand);
  if (value.is(0) || value.is(1)) return value.is(1) == truth ? any : std::vector<std::vector<Act>>{};
  const auto is_not_zero = [&]() -> std::vector<std::vector<Act>> {
    if (!value.number) return any;
    return {{Guard{truth ? Predicate::Ne : Predicate::Eq, *value.number, LinearForm::number(0)}}};
  };
  const Instruction* code = definition_of(*frame.function, operand);
  if (code == nullptr) return is_not_zero();  // a parameter
  const auto operands = frame.function->operands_of(*code);
  if (code->opcode == Opcode::Freeze) return ways(frame, operands[0], truth);
  if (code->opcode == Opcode::Cast && code->cast_op() == CastOp::Trunc) {
    const auto lowest = bit(frame, operands[0], 0);
    if (!lowest) return any;
    return {{Guard{Predicate::Eq, *lowest, LinearForm::number(truth ? 1 : 0)}}};
  }
  if (code->opcode == Opcode::Compare && code->predicate() <= Predicate::Sle) {
    const bool is_zero = known(frame, operands[1]).is(0);
    const Instruction* from = definition_of(*frame.function, operands[0]);
    const bool is_test = code->predicate() == Predicate::Eq || code->predicate() == Predicate::Ne;
    if (is_zero && is_test && from != nullptr && from->opcode == Opcode::Cast && from->cast_op() == CastOp::ZExt) {
      const Operand inner = frame.function->operands_of(*from)[0];
      const Instruction* bit = definition_of(*frame.function, inner);
      if (bit != nullptr && number_bits(bit->type) == 1)
        return ways(frame, inner, truth == (code->predicate() == Predicate::Ne));
    }
    const auto left = number(frame, operands[0]), right = number(frame, operands[1]);
    // A single bit is read as 0 or 1 here, and as 0 or −1 by orders with signs.
    if (!left || !right || (!is_test && bits_of(frame, operands[0]) < 2)) return any;
    return {{Guard{truth ? code->predicate() : opposite(code->predicate()), *left, *right}}};
  }
  if (code->opcode == Opcode::Binary && number_bits(code->type) == 1) {
    if (code->binary_op() == BinaryOp::Xor && known(frame, operands[1]).is(1)) return ways(frame, operands[0], !truth);
    if (code->binary_op() == (truth ? BinaryOp::And : BinaryOp::Or))
      return both(ways(frame, operands[0], truth), ways(frame, operands[1], truth));
    if (code->binary_op() == (truth ? BinaryOp::Or : BinaryOp::And)) {
      std::vector<std::vector<Act>> out = ways(frame, operands[0], truth);
      for (auto& way : both(ways(frame, operands[0], !truth), ways(frame, operands[1], truth)))
        out.push_back(std::move(way));
      return out.size() > most_ways ? any : out;
    }
  }
  return is_not_zero();
}

std::vector<std::vector<Act>> ThreadBuilder::both(const std::vector<std::vector<Act>>& left,
                                                  const std::vector<std::vector<Act>>& right) {
  if (left.size() * right.size() > most_ways) return left;
  std::vector<std::vector<Act>> out;
  for (const std::vector<Act>& one : left)
    for (const std::vector<Act>& other : right) {
      out.push_back(one);
      out.back().insert(out.back().end(), other.begin(), other.end());
    }
  return out;
}

/// A bit that is kept for later: what it says is known as long as it is.
void ThreadBuilder::decide(const Frame& frame, std::uint32_t index) {
  const Operand self = Operand::value(frame.function->result_of(index));
  any_result(frame, index);
  const std::vector<Act> before = std::exchange(acts_, {});
  const PointIndex behind = point();
  for (const bool truth : {true, false})
    for (const std::vector<Act>& way : ways(frame, self, truth)) {
      acts_ = before;
      acts_.insert(acts_.end(), way.begin(), way.end());
      result(frame, index, LinearForm::number(truth ? 1 : 0), false);
      connect(at_, behind, std::exchange(acts_, {}));
    }
  at_ = behind;
}

/// Of a value of one bit: more than branches look at it. Asked of each function once.
bool ThreadBuilder::is_kept(const Frame& frame, std::uint32_t index) {
  const Function& f = *frame.function;
  const auto [known, is_new] = shop_.kept.try_emplace(frame.id);
  if (is_new) {
    known->second.resize(f.value_count());
    for (const Instruction& user : f.instructions) {
      const bool only_tests = user.opcode == Opcode::CondBranch || user.opcode == Opcode::Compare ||
                              (user.opcode == Opcode::Binary && number_bits(user.type) == 1);
      const auto operands = f.operands_of(user);
      for (std::size_t k = 0; k < operands.size(); ++k)
        if (operands[k].is_value() && !only_tests && (user.opcode != Opcode::Select || k != 0))
          known->second[operands[k].as_value().index()] = true;
    }
  }
  return known->second[f.result_of(index).index()];
}

std::optional<Memory> ThreadBuilder::argument_memory(const CallSite& site, api::Argument argument) const {
  const auto arguments = site.frame.function->arguments_of(site.code);
  if (argument < 0 || static_cast<std::size_t>(argument) >= arguments.size()) return std::nullopt;
  return memory(site.frame, arguments[static_cast<std::size_t>(argument)]);
}

}  // namespace heddle::judge::transaction
