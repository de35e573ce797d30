// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/value_names.h"

#include <algorithm>

#include "program/model/device_register.h"
#include "program/model/function_queries.h"

namespace heddle::scan {

bool keeps_zero(const Program& program, const Instruction& cast) {
  if (cast.opcode == Opcode::Freeze) return true;
  if (cast.opcode != Opcode::Cast) return false;
  switch (cast.cast_op()) {
    case CastOp::Trunc: return program.types[cast.type].value_bits == 1;
    case CastOp::PtrToInt: return program.types[cast.type].value_bits >= program.layout.pointer_bits;
    case CastOp::FpTrunc:
    case CastOp::FpToUi:
    case CastOp::FpToSi: return false;
    default: return true;
  }
}

ValueNames::ValueNames(const ScanInput& input, MemberKeys& keys, NodeTable& nodes, const FunctionBody& body)
    : in_(input), keys_(keys), body_(body), nodes_(nodes), values_(body.function.value_count()) {
  nodes_.clear();
  name_parameters();
}

void ValueNames::name_parameters() {
  const Function& f = body_.function;
  for (std::uint32_t i = 0; i < f.parameters.size(); ++i) {
    if (!in_.is_pointer(f.parameters[i])) continue;
    const TypeId type = keys_.named_pointee(f, ValueId(i));
    const bool is_copy = std::ranges::any_of(f.byval, [&](const ByValue& b) { return b.index == i; });
    const NodeId node =
        is_copy ? nodes_.intern({.kind = NodeKind::Local, .index = i, .type = type}) : nodes_.formal(i, type);
    values_[i] = SymbolicValue::at({node, 0});
  }
}

bool ValueNames::is_surely_not_zero(Operand operand, int steps) {
  if (operand.is_function()) return !in_.program.functions[operand.as_function()].may_be_missing;
  if (operand.is_global()) return !in_.program.globals[operand.as_global()].may_be_missing;
  const SymbolicValue value = value_of(operand);
  if (value.is_number()) return value.number != 0;
  const Function& f = body_.function;
  if (!operand.is_value() || f.is_parameter(operand.as_value()) || steps == 0) return false;
  const Instruction& source = f.instructions[f.definition(operand.as_value())];
  const auto operands = f.operands_of(source);
  const auto is_sure = [&](Operand one) { return one == operand || is_surely_not_zero(one, steps - 1); };
  switch (source.opcode) {
    case Opcode::Alloca: return true;
    case Opcode::Freeze: return is_sure(operands[0]);
    case Opcode::Cast: return keeps_zero(in_.program, source) && is_sure(operands[0]);
    case Opcode::Select: return is_sure(operands[1]) && is_sure(operands[2]);
    case Opcode::Phi:
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
        if (!is_sure(operands[k])) return false;
      return true;
    case Opcode::Gep: {
      // A member lies behind the beginning of its object, and that nowhere before the first page.
      const SymbolicValue base = value_of(operands[0]);
      const bool is_member = value.is_address() && base.is_address() && value.address.node == base.address.node &&
                             value.address.offset != base.address.offset;
      return is_member || is_sure(operands[0]);
    }
    default: return false;
  }
}

SymbolicValue ValueNames::value_of(Operand operand) {
  switch (operand.kind()) {
    case Operand::Kind::Value: return values_[operand.index()];
    case Operand::Kind::Global:
      // A number: what a device register holds is shared with the device on purpose, and no race of ours.
      if (const auto address = device_address(in_.program.globals[operand.as_global()]))
        return SymbolicValue::constant(static_cast<std::int64_t>(*address));
      return SymbolicValue::at(
          {nodes_.global(operand.as_global(), in_.program.globals[operand.as_global()].source_type), 0});
    case Operand::Kind::Function: return SymbolicValue::function(operand.as_function());
    case Operand::Kind::Constant: return constant(in_.program.constants[operand.as_constant()]);
    default: return {};
  }
}

SymbolicValue ValueNames::constant(const Constant& c) const {
  if (c.kind == Constant::Kind::Null || c.kind == Constant::Kind::Zero) return SymbolicValue::constant(0);
  const auto number = signed_number(in_.program, c);
  return number ? SymbolicValue::constant(*number) : SymbolicValue{};
}

Lvalue ValueNames::lvalue_of(Operand pointer) {
  const SymbolicValue value = value_of(pointer);
  if (value.is_address()) return value.address;
  if (value.kind != SymbolicValue::Kind::Unknown || !pointer.is_value()) return {};
  const Lvalue named{value_node(pointer.as_value()), 0};
  values_[pointer.index()] = SymbolicValue::at(named);
  return named;
}

NodeId ValueNames::value_node(ValueId value) {
  return nodes_.intern({.kind = NodeKind::Value,
                        .index = value.index(),
                        .function = body_.id,
                        .type = keys_.named_pointee(body_.function, value)});
}

/// The operands that a value is chosen from, with labels of blocks among them; none if it is not a choice.
std::span<const Operand> ValueNames::choices(Operand value) const {
  const Function& f = body_.function;
  if (!value.is_value() || f.is_parameter(value.as_value())) return {};
  const Instruction& made = f.instructions[f.definition(value.as_value())];
  const auto operands = f.operands_of(made);
  switch (made.opcode) {
    case Opcode::Phi: return operands;
    case Opcode::Select: return operands.subspan(1);
    case Opcode::Cast:
    case Opcode::Freeze: return operands.first(1);
    default: return {};
  }
}

std::vector<Lvalue> ValueNames::meanings(Lvalue where) {
  constexpr std::size_t most = 32;
  const Node named = nodes_[where.node];
  if (named.kind != NodeKind::Value || named.function != body_.id) return {};
  std::vector<Operand> seen{Operand::value(ValueId(named.index))};
  std::vector<Lvalue> out;
  for (std::size_t i = 0; i < seen.size() && seen.size() <= most; ++i) {
    const std::span<const Operand> from = choices(seen[i]);
    if (from.empty()) {
      if (i == 0) return {};
      if (const Lvalue at = lvalue_of(seen[i]); at.valid()) out.push_back({at.node, at.offset + where.offset});
      continue;
    }
    for (const Operand one : from)
      if (!one.is_block() && std::ranges::find(seen, one) == seen.end()) seen.push_back(one);
  }
  if (seen.size() > most) return {};
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return out;
}

NodeId ValueNames::some_object(TypeId type) {
  const auto index = type ? static_cast<std::uint32_t>(in_.ids.of(type) & 0x7fffffffU) : 0;
  return nodes_.intern({.kind = NodeKind::Value, .index = index, .type = type});
}

std::uint32_t ValueNames::code_parameter(Operand pointer) {
  const SymbolicValue value = value_of(pointer);
  if (!value.is_address() || value.address.offset != 0) return no_parameter;
  const Node& node = nodes_[value.address.node];
  return node.kind == NodeKind::Formal ? node.index : no_parameter;
}

MemberKey ValueNames::key_of(Lvalue where) {
  const Node* node = &nodes_[where.node];
  std::int64_t offset = where.offset;
  while (node->kind == NodeKind::Element && !node->type) {
    offset = offset_in_parent(*node, offset, in_.assumptions.pointer_arithmetic);
    node = &nodes_[node->parent];
  }
  if (offset < 0 && node->whole) return keys_.at(node->whole, offset - node->whole_offset);
  return keys_.at(node->type, offset);
}

/// What the instruction itself says, if it is a member that it goes to.
MemberKey ValueNames::key_of(Operand address) {
  const Function& f = body_.function;
  if (!address.is_value() || f.is_parameter(address.as_value())) return {};
  const Instruction& gep = f.instructions[f.definition(address.as_value())];
  if (gep.opcode != Opcode::Gep) return {};
  const GepInfo& info = f.geps[gep.extra];
  return keys_.at(in_.targets.sources().of(info.source_type), info.constant_offset);
}

MemberKey ValueNames::key_of(Lvalue where, Operand address) {
  // Before the object lies what it is a part of, or another one like it: the instruction knows.
  if (where.offset < 0 && !nodes_[where.node].whole)
    if (const MemberKey key = key_of(address); key.record) return key;
  const MemberKey key = key_of(where);
  return key.record ? key : key_of(address);
}

TypeId ValueNames::pointee_at(Lvalue where) {
  const Node& node = nodes_[where.node];
  if (where.offset < 0 && node.whole) return keys_.pointee_at(node.whole, where.offset - node.whole_offset);
  return keys_.pointee_at(node.type, where.offset);
}

}  // namespace heddle::scan
