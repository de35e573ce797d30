// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for values: what an operand is, where a pointer leads, what type lies there.
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {

SymbolicValue Summariser::value_of(Operand operand) {
  switch (operand.kind()) {
    case Operand::Kind::Value: return values_[operand.index()];
    case Operand::Kind::Global:
      return {.kind = SymbolicValue::Kind::Address,
              .address = {nodes_.global(operand.as_global(), in_.program.globals[operand.as_global()].source_type), 0}};
    case Operand::Kind::Function: return {.kind = SymbolicValue::Kind::Code, .code = operand.as_function()};
    case Operand::Kind::Constant: {
      const Constant& c = in_.program.constants[operand.as_constant()];
      if (c.kind == Constant::Kind::Null || c.kind == Constant::Kind::Zero)
        return {.kind = SymbolicValue::Kind::Number, .number = 0};
      if (c.kind == Constant::Kind::Int && c.wide.empty()) {
        const std::uint64_t bits = in_.program.types[c.type].value_bits;
        const std::uint64_t sign = bits > 0 && bits < 64 ? std::uint64_t{1} << (bits - 1) : 0;
        return {.kind = SymbolicValue::Kind::Number, .number = static_cast<std::int64_t>((c.bits ^ sign) - sign)};
      }
      return {};
    }
    default: return {};
  }
}

/// Where a pointer leads; invalid for null, numbers and code.
Lvalue Summariser::lvalue_of(Operand pointer) {
  const SymbolicValue value = value_of(pointer);
  if (value.is_address()) return value.address;
  if (value.kind != SymbolicValue::Kind::Unknown || !pointer.is_value()) return {};
  const Lvalue named{value_node(pointer.as_value()), 0};
  values_[pointer.index()] = {.kind = SymbolicValue::Kind::Address, .address = named};
  return named;
}

NodeId Summariser::value_node(ValueId value) {
  return nodes_.intern(
      {.kind = NodeKind::Value, .index = value.index(), .function = id_, .type = keys_.named_pointee(*f_, value)});
}

MemberKey Summariser::key_of(Lvalue where) {
  const Node* node = &nodes_[where.node];
  std::int64_t offset = where.offset;
  while (node->kind == NodeKind::Element && !node->type) {
    offset += node->offset;
    node = &nodes_[node->parent];
  }
  return keys_.at(node->type, offset);
}

MemberKey Summariser::key_of(Lvalue where, Operand address) {
  if (const MemberKey key = key_of(where); key.record) return key;
  if (!address.is_value() || f_->is_parameter(address.as_value())) return {};
  const Instruction& gep = f_->instructions[f_->definition(address.as_value())];
  if (gep.opcode != Opcode::Gep) return {};
  const GepInfo& info = f_->geps[gep.extra];
  return keys_.at(in_.targets.sources().of(info.source_type), info.constant_offset);
}

}  // namespace heddle::scan
