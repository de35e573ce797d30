// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each instruction does with addresses.
#include <algorithm>

#include "alias/inclusion/points_to.h"
#include "program/model/accessed_bytes.h"

namespace heddle::alias {

void PointsTo::walk(FunctionId id) {
  for (std::uint32_t i = 0; i < program_.functions[id].instructions.size(); ++i) visit(id, i);
}

std::optional<std::uint64_t> PointsTo::constant(Operand operand) const {
  if (!operand.is_constant()) return std::nullopt;
  const Constant& c = program_.constants[operand.as_constant()];
  return c.kind == Constant::Kind::Int && c.wide.empty() ? std::optional(c.bits) : std::nullopt;
}

void PointsTo::visit(FunctionId id, std::uint32_t index) {
  const Function& f = program_.functions[id];
  const Instruction& code = f.instructions[index];
  const auto operands = f.operands_of(code);
  const NodeIndex result = value(id, f.result_of(index));
  const auto bytes = [&](TypeId type) { return accessed_bytes(program_.types[type]); };
  switch (code.opcode) {
    case Opcode::Alloca: return inclusions_.give(result, {object_of({PointedObject::Kind::Local, {}, id, index}), 0});
    case Opcode::Load: return inclusions_.load(node_of(id, operands[0]), bytes(code.type), result);
    case Opcode::Store:
      return inclusions_.store(node_of(id, operands[1]), node_of(id, operands[0]), bytes(code.access_type));
    case Opcode::AtomicRmw:
    case Opcode::CmpXchg: {
      const NodeIndex address = node_of(id, operands[0]);
      inclusions_.load(address, bytes(code.access_type), result);
      NodeIndex next = node_of(id, operands.back());
      if (code.opcode == Opcode::AtomicRmw && code.rmw_op() != RmwOp::Xchg) {
        // What is made of an address that lies there.
        next = inclusions_.node();
        inclusions_.copy(result, next, anywhere);
        flow(id, operands.back(), next, anywhere);
      }
      return inclusions_.store(address, next, bytes(code.access_type));
    }
    case Opcode::MemCopy:
      inclusions_.cut(node_of(id, operands[0]), constant(operands[2]));
      return inclusions_.move(node_of(id, operands[0]), node_of(id, operands[1]), constant(operands[2]));
    case Opcode::Gep: return gep(id, index);
    case Opcode::Phi:
    case Opcode::Freeze:
    case Opcode::ExtractValue:
    case Opcode::InsertValue:
    case Opcode::ExtractElement:
    case Opcode::InsertElement:
    case Opcode::ShuffleVector:
      for (const Operand operand : operands) flow(id, operand, result);
      return;
    case Opcode::Select: flow(id, operands[1], result); return flow(id, operands[2], result);
    case Opcode::Cast:
      if (code.cast_op() == CastOp::IntToPtr) inclusions_.copy(unknown_, result);
      return flow(id, operands[0], result);
    case Opcode::Binary:
      for (const Operand operand : operands) flow(id, operand, result, anywhere);
      return;
    case Opcode::VaArg: {
      flow(id, operands[0], result, anywhere);  // the list itself may be passed on as its content is
      return inclusions_.copy(rest_[id.index()], result);
    }
    case Opcode::Return:
      if (!operands.empty()) flow(id, operands[0], results_[id.index()]);
      return;
    case Opcode::Call: return call(id, index);
    case Opcode::Invoke: return call(id, index);
    case Opcode::LandingPad:
    case Opcode::Resume:
    case Opcode::Unsupported: return give_up("it has exceptions, or instructions that are not understood");
    case Opcode::MemSet: return inclusions_.cut(node_of(id, operands[0]), constant(operands[2]));
    case Opcode::Fence:
    case Opcode::FNeg:
    case Opcode::Compare:
    case Opcode::Branch:
    case Opcode::CondBranch:
    case Opcode::Switch:
    case Opcode::IndirectBranch:
    case Opcode::Unreachable: return;
  }
}

void PointsTo::gep(FunctionId id, std::uint32_t index) {
  const Function& f = program_.functions[id];
  const auto operands = f.operands_of(f.instructions[index]);
  const GepInfo& info = f.geps[f.instructions[index].extra];
  const NodeIndex result = value(id, f.result_of(index));
  const auto moving = std::ranges::count_if(info.strides, [](std::int64_t stride) { return stride != 0; });
  if (moving == 1 && f.instructions[index].has_flag(Instruction::in_bounds)) {
    const std::int64_t stride = *std::ranges::find_if(info.strides, [](std::int64_t each) { return each != 0; });
    const std::int64_t count = elements(info);
    used_declared_arrays_ = used_declared_arrays_ || count != 0;
    inclusions_.copy(node_of(id, operands[0]), result, info.constant_offset, stride, count);
  } else {
    flow(id, operands[0], result, moving == 0 ? info.constant_offset : anywhere);
  }
  // Whoever computes with numbers that are addresses may have them as indices.
  for (const Operand operand : operands.subspan(1)) flow(id, operand, result, anywhere);
}

std::int64_t PointsTo::elements(const GepInfo& info) const {
  if (!declared_arrays_ || !info.source_type.valid() || info.strides.size() != 1) return 0;
  const Type& type = program_.types[info.source_type];
  if (type.kind != TypeKind::Array || type.count == 0) return 0;
  const auto size = static_cast<std::int64_t>(program_.types[type.element].size_bytes());
  return info.strides.front() == size ? static_cast<std::int64_t>(type.count) : 0;
}

void PointsTo::call(FunctionId id, std::uint32_t index) {
  const Function& f = program_.functions[id];
  const Instruction& code = f.instructions[index];
  const Operand callee = f.operands_of(code)[0];
  if (code.opcode == Opcode::Invoke) give_up("it has exceptions, or instructions that are not understood");
  if (callee.kind() == Operand::Kind::Asm) return assembly(id, index);
  Waiting call{.arguments = {},
               .result = value(id, f.result_of(index)),
               .byval = {f.calls[code.extra].byval.begin(), f.calls[code.extra].byval.end()},
               .site = {id, index}};
  for (const Operand operand : f.arguments_of(code)) call.arguments.push_back(node_of(id, operand));
  if (!callee.is_function()) {
    waiting_.push_back(std::move(call));
    return inclusions_.call(node_of(id, callee), static_cast<std::uint32_t>(waiting_.size() - 1));
  }
  const Function& target = program_.functions[callee.as_function()];
  if (target.has_body()) return connect(call, callee.as_function());
  // In a function with variable arguments, an intrinsic of one pointer begins a list of them, or ends it.
  if (f.is_vararg && target.is_intrinsic && call.arguments.size() == 1) begin_list(id, call.arguments[0]);
  library_call(call, callee.as_function());
}

/// Somewhere in the list lies where the arguments lie; how, only the target's convention tells.
void PointsTo::begin_list(FunctionId id, NodeIndex list) {
  const ObjectIndex area = library("the arguments of a call");
  const NodeIndex inside = inclusions_.node(), everywhere = inclusions_.node();
  inclusions_.give(inside, {area, anywhere});
  inclusions_.store(inside, rest_[id.index()], 0);
  inclusions_.copy(list, everywhere, anywhere);
  inclusions_.store(everywhere, inside, 0);
}

/// What goes in by a register, or lies where one leads, may come out by any other.
void PointsTo::assembly(FunctionId id, std::uint32_t index) {
  const Function& f = program_.functions[id];
  const Instruction& code = f.instructions[index];
  const NodeIndex all = value(id, f.result_of(index)), everywhere = inclusions_.node();
  for (const Operand operand : f.arguments_of(code)) flow(id, operand, all, anywhere);
  inclusions_.copy(all, everywhere, anywhere);
  inclusions_.load(everywhere, 0, all);
  inclusions_.store(everywhere, all, 0);
}

}  // namespace heddle::alias
