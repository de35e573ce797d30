// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/function_builder.h"

#include <algorithm>

#include "program/model/program_builder.h"

namespace heddle {

FunctionBuilder::FunctionBuilder(ProgramBuilder& owner, FunctionId id) : owner_(owner), id_(id) {
  body_.blocks.push_back({.name = "entry", .first = 0, .count = 0});
}

Operand FunctionBuilder::param(std::size_t index) const {
  HEDDLE_CHECK(index < owner_.program_.functions[id_].parameters.size(), "no such parameter");
  return Operand::value(ValueId(index));
}

FunctionBuilder& FunctionBuilder::at(std::uint32_t line, std::uint32_t column) {
  location_ = owner_.location(file_, line, column);
  return *this;
}

FunctionBuilder& FunctionBuilder::in_file(std::string path) {
  file_ = std::move(path);
  return *this;
}

FunctionBuilder& FunctionBuilder::with(std::uint8_t flags) {
  next_flags_ = flags;
  return *this;
}

FunctionBuilder& FunctionBuilder::name(Operand value, std::string name, TypeId source_type) {
  add_name({owner_.keep(name), value.as_value(), source_type, false});
  return *this;
}

FunctionBuilder& FunctionBuilder::name_memory(Operand address, std::string name, TypeId source_type) {
  add_name({owner_.keep(name), address.as_value(), source_type, true});
  return *this;
}

void FunctionBuilder::add_name(ValueName name) {
  body_.names.insert(std::ranges::upper_bound(body_.names, name.value, {}, &ValueName::value), std::move(name));
}

BlockId FunctionBuilder::block(std::string name) {
  const BlockId id(body_.blocks.size());
  body_.blocks.push_back(
      {.name = owner_.keep(name.empty() ? "b" + std::to_string(id.index()) : name), .first = 0, .count = 0});
  return id;
}

FunctionBuilder& FunctionBuilder::enter(BlockId block) {
  HEDDLE_CHECK(block.index() == current_.index() + 1, "blocks are filled in the order they were made");
  current_ = block;
  body_.blocks[block.index()].first = static_cast<std::uint32_t>(body_.instructions.size());
  return *this;
}

TypeId FunctionBuilder::type_of(Operand operand) {
  const Program& program = owner_.program_;
  switch (operand.kind()) {
    case Operand::Kind::Constant: return program.constants[operand.as_constant()].type;
    case Operand::Kind::Global:
    case Operand::Kind::Function: return owner_.ptr_type();
    case Operand::Kind::Value: break;
    default: fail_check("operand.kind()", "has no type");
  }
  const std::span<const TypeId> parameters = program.functions[id_].parameters;
  const std::size_t index = operand.index();
  return index < parameters.size() ? parameters[index] : body_.instructions.at(index - parameters.size()).type;
}

Operand FunctionBuilder::add(Opcode opcode, TypeId type, std::vector<Operand> operands) {
  HEDDLE_CHECK(body_.blocks[current_.index()].count == 0 || !body_.instructions.back().is_terminator(),
               "the block has ended");
  Instruction i;
  i.opcode = opcode;
  i.type = type;
  i.flags = std::exchange(next_flags_, std::uint8_t{0});
  i.location = location_;
  body_.instructions.push_back(i);
  operands_.push_back(std::move(operands));
  ++body_.blocks[current_.index()].count;
  return Operand::value(ValueId(owner_.program_.functions[id_].parameters.size() + last()));
}

Operand FunctionBuilder::alloca_of(TypeId type) {
  const Operand one = owner_.int_constant(owner_.int_type(32), 1);
  const Operand v = add(Opcode::Alloca, owner_.ptr_type(), {one});
  newest().access_type = type;
  return v;
}

Operand FunctionBuilder::load(TypeId type, Operand address, AtomicOrder order) {
  const Operand v = add(Opcode::Load, type, {address});
  newest().access_type = type;
  newest().order = order;
  return v;
}

Operand FunctionBuilder::store(Operand value, Operand address, AtomicOrder order) {
  const TypeId type = type_of(value);
  const Operand v = add(Opcode::Store, owner_.void_type(), {value, address});
  newest().access_type = type;
  newest().order = order;
  return v;
}

Operand FunctionBuilder::gep(Operand base, std::int64_t offset,
                             const std::vector<std::pair<Operand, std::int64_t>>& indices, TypeId source_type) {
  GepInfo info;
  info.source_type = source_type ? source_type : owner_.int_type(8);
  info.constant_offset = offset;
  std::vector<Operand> operands{base};
  std::vector<std::int64_t> strides;
  for (const auto& [index, stride] : indices) {
    operands.push_back(index);
    strides.push_back(stride);
  }
  const Operand v = add(Opcode::Gep, owner_.ptr_type(), std::move(operands));
  newest().extra = static_cast<std::uint32_t>(body_.geps.size());
  info.strides = owner_.program_.arena.copy(strides);
  body_.geps.push_back(info);
  return v;
}

Operand FunctionBuilder::mem_copy(Operand destination, Operand source, Operand length, bool may_overlap) {
  const Operand v = add(Opcode::MemCopy, owner_.void_type(), {destination, source, length});
  newest().detail = may_overlap ? 1 : 0;
  return v;
}

Operand FunctionBuilder::mem_set(Operand destination, Operand byte, Operand length) {
  return add(Opcode::MemSet, owner_.void_type(), {destination, byte, length});
}

Operand FunctionBuilder::cmpxchg(Operand address, Operand expected, Operand desired, AtomicOrder success,
                                 AtomicOrder failure) {
  const TypeId type = type_of(desired);
  const TypeId pair = owner_.struct_type({type, owner_.int_type(1)});
  const Operand v = add(Opcode::CmpXchg, pair, {address, expected, desired});
  newest().access_type = type;
  newest().order = success;
  newest().detail = static_cast<std::uint8_t>(failure);
  return v;
}

Operand FunctionBuilder::atomic_rmw(RmwOp op, Operand address, Operand value, AtomicOrder order) {
  const TypeId type = type_of(value);
  const Operand v = add(Opcode::AtomicRmw, type, {address, value});
  newest().access_type = type;
  newest().order = order;
  newest().detail = static_cast<std::uint8_t>(op);
  return v;
}

Operand FunctionBuilder::fence(AtomicOrder order) {
  const Operand v = add(Opcode::Fence, owner_.void_type(), {});
  newest().order = order;
  return v;
}

Operand FunctionBuilder::phi(TypeId type, const std::vector<std::pair<Operand, BlockId>>& incoming) {
  const Operand v = add(Opcode::Phi, type, {});
  for (const auto& [value, from] : incoming) add_incoming(v, value, from);
  return v;
}

void FunctionBuilder::add_incoming(Operand phi, Operand value, BlockId from) {
  const std::size_t index = phi.index() - owner_.program_.functions[id_].parameters.size();
  HEDDLE_CHECK(body_.instructions.at(index).opcode == Opcode::Phi, "only phis have incoming values");
  operands_[index].push_back(value);
  operands_[index].push_back(Operand::block(from));
}

Operand FunctionBuilder::select(Operand condition, Operand if_true, Operand if_false) {
  return add(Opcode::Select, type_of(if_true), {condition, if_true, if_false});
}

Operand FunctionBuilder::binary(BinaryOp op, Operand left, Operand right) {
  const Operand v = add(Opcode::Binary, type_of(left), {left, right});
  newest().detail = static_cast<std::uint8_t>(op);
  return v;
}

Operand FunctionBuilder::compare(Predicate predicate, Operand left, Operand right) {
  const Operand v = add(Opcode::Compare, owner_.int_type(1), {left, right});
  newest().detail = static_cast<std::uint8_t>(predicate);
  return v;
}

Operand FunctionBuilder::cast(CastOp op, Operand value, TypeId type) {
  const Operand v = add(Opcode::Cast, type, {value});
  newest().detail = static_cast<std::uint8_t>(op);
  return v;
}

Operand FunctionBuilder::freeze(Operand value) { return add(Opcode::Freeze, type_of(value), {value}); }

Operand FunctionBuilder::extract_value(Operand aggregate, TypeId type, std::vector<std::int32_t> indices) {
  const Operand v = add(Opcode::ExtractValue, type, {aggregate});
  newest().extra = static_cast<std::uint32_t>(body_.indices.size());
  body_.indices.push_back(owner_.program_.arena.copy(indices));
  return v;
}

Operand FunctionBuilder::add_call(Opcode opcode, Operand callee, TypeId function_type, std::vector<Operand> operands) {
  operands.insert(operands.begin(), callee);
  const Operand v = add(opcode, owner_.program_.types[function_type].element, std::move(operands));
  newest().extra = static_cast<std::uint32_t>(body_.calls.size());
  CallInfo info;
  info.function_type = function_type;
  body_.calls.push_back(info);
  return v;
}

Operand FunctionBuilder::call(FunctionId callee, const std::vector<Operand>& arguments) {
  return add_call(Opcode::Call, Operand::function(callee), owner_.program_.functions[callee].type, arguments);
}

Operand FunctionBuilder::call_indirect(Operand callee, TypeId function_type, const std::vector<Operand>& arguments) {
  return add_call(Opcode::Call, callee, function_type, arguments);
}

Operand FunctionBuilder::invoke(FunctionId callee, const std::vector<Operand>& arguments, BlockId normal,
                                BlockId unwind) {
  std::vector<Operand> operands = arguments;
  operands.push_back(Operand::block(normal));
  operands.push_back(Operand::block(unwind));
  return add_call(Opcode::Invoke, Operand::function(callee), owner_.program_.functions[callee].type,
                  std::move(operands));
}

void FunctionBuilder::ret() { add(Opcode::Return, owner_.void_type(), {}); }
void FunctionBuilder::ret(Operand value) { add(Opcode::Return, owner_.void_type(), {value}); }
void FunctionBuilder::br(BlockId target) { add(Opcode::Branch, owner_.void_type(), {Operand::block(target)}); }

void FunctionBuilder::cond_br(Operand condition, BlockId if_true, BlockId if_false) {
  add(Opcode::CondBranch, owner_.void_type(), {condition, Operand::block(if_true), Operand::block(if_false)});
}

void FunctionBuilder::switch_on(Operand value, BlockId otherwise,
                                const std::vector<std::pair<Operand, BlockId>>& cases) {
  std::vector<Operand> operands{value, Operand::block(otherwise)};
  for (const auto& [constant, target] : cases) {
    operands.push_back(constant);
    operands.push_back(Operand::block(target));
  }
  add(Opcode::Switch, owner_.void_type(), std::move(operands));
}

void FunctionBuilder::unreachable() { add(Opcode::Unreachable, owner_.void_type(), {}); }

Operand FunctionBuilder::unsupported(std::string text, TypeId type) {
  const Operand v = add(Opcode::Unsupported, type, {});
  newest().extra = static_cast<std::uint32_t>(body_.texts.size());
  body_.texts.push_back(owner_.keep(text));
  return v;
}

void FunctionBuilder::finish() {
  HEDDLE_CHECK(current_.index() + 1 == body_.blocks.size(), "a block was made but never entered");
  for (const Block& block : body_.blocks)
    HEDDLE_CHECK(block.count != 0 && body_.instructions[block.first + block.count - 1].is_terminator(),
                 "a block has no terminator");
  for (std::size_t i = 0; i < body_.instructions.size(); ++i) {
    body_.instructions[i].first_operand = static_cast<std::uint32_t>(body_.operands.size());
    body_.instructions[i].operand_count = static_cast<std::uint32_t>(operands_[i].size());
    body_.operands.insert(body_.operands.end(), operands_[i].begin(), operands_[i].end());
  }
  body_.freeze(owner_.program_.arena, owner_.program_.functions[id_]);
}

}  // namespace heddle
