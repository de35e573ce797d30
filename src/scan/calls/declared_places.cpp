// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/declared_places.h"

#include <algorithm>

#include "program/names/type_walk.h"

namespace heddle::scan {

DeclaredPlaces::Place DeclaredPlaces::at(FunctionId id, Operand address, int depth) {
  const Function& f = program_.functions[id];
  if (address.kind() == Operand::Kind::Global) return {program_.globals[address.as_global()].source_type, 0};
  if (!address.is_value() || depth == 0) return {};
  if (const TypeId named = keys_.named_pointee(f, address.as_value())) return {named, 0};
  if (f.is_parameter(address.as_value())) return {};
  const Instruction& source = f.instructions[f.definition(address.as_value())];
  const auto operands = f.operands_of(source);
  switch (source.opcode) {
    case Opcode::Alloca: {
      const auto name = std::ranges::find(f.names, address.as_value(), &ValueName::value);
      return {name != f.names.end() && name->names_memory ? name->source_type : TypeId{}, 0};
    }
    case Opcode::Gep: {
      const GepInfo& info = f.geps[source.extra];
      if (const TypeId type = sources_.of(info.source_type)) return {type, info.constant_offset};
      // Several structs have that layout.
      const Place base = at(id, operands[0], depth - 1);
      return {base.type, base.offset + info.constant_offset};
    }
    case Opcode::Phi: return operands.empty() ? Place{} : at(id, operands[0], depth - 1);
    case Opcode::Call:
    case Opcode::Invoke: {
      const TypeId callee =
          operands[0].is_function() ? program_.functions[operands[0].as_function()].source_type : TypeId{};
      return {callee ? keys_.pointee(program_.types[callee].element) : TypeId{}, 0};
    }
    case Opcode::Load: {
      const Place from = at(id, operands[0], depth - 1);
      return {keys_.pointee_at(from.type, from.offset), 0};
    }
    default: return {};
  }
}

/// Whether the word at `offset` of a type holds the address of a table of virtual functions. `holder` becomes the
/// object it belongs to: one that is no base of another.
bool DeclaredPlaces::has_table(TypeId id, std::int64_t offset, TypeId& holder) const {
  const Type& type = program_.types[id];
  for (const Field& field : type.fields) {
    const std::int64_t inside = offset - static_cast<std::int64_t>(field.offset_bits / 8);
    if (!field.type || inside < 0 || inside >= static_cast<std::int64_t>((field.size_bits + 7) / 8)) continue;
    const Type& member = program_.types[field.type];
    if (field.is_base || is_record(member) || member.kind == TypeKind::Array) {
      TypeId object = field.is_base ? holder : TypeId{};
      if (!find_table({field.type, inside}, object)) continue;
      holder = object;
      return true;
    }
    const auto points_to = [&](const Type& t, TypeKind kind) {
      return t.kind == TypeKind::Pointer && t.element && program_.types[t.element].kind == kind;
    };
    if (inside == 0 && points_to(member, TypeKind::Pointer) &&
        points_to(program_.types[member.element], TypeKind::Function))
      return true;
  }
  return false;
}

bool DeclaredPlaces::find_table(Place place, TypeId& holder) const {
  auto [type, offset] = place;
  while (type && program_.types[type].kind == TypeKind::Array) {
    type = program_.types[type].element;
    const auto size = type ? static_cast<std::int64_t>(program_.types[type].size_bytes()) : 0;
    if (size == 0) return false;
    offset = ((offset % size) + size) % size;
    holder = {};
  }
  if (!type || program_.types[type].kind != TypeKind::Struct) return false;
  if (!holder) holder = type;
  return has_table(type, offset, holder);
}

TypeId DeclaredPlaces::class_at(Place place) const {
  TypeId holder;
  return find_table(place, holder) ? holder : TypeId{};
}

/// All names count: `if (a->kind == 1) static_cast<B *>(a)->f(); else a->f();` calls two names of one value.
bool DeclaredPlaces::add_named(const Function& f, ValueId value, std::vector<TypeId>& out) const {
  const std::size_t before = out.size();
  auto name = std::ranges::lower_bound(f.names, value, {}, &ValueName::value);
  for (; name != f.names.end() && name->value == value; ++name) {
    if (name->names_memory) {
      if (const TypeId type = class_at({name->source_type, 0})) out.push_back(type);
      continue;
    }
    if (const TypeId type = class_at({keys_.pointee(name->source_type), 0})) out.push_back(type);
  }
  return out.size() != before;
}

std::vector<TypeId> DeclaredPlaces::classes(FunctionId id, Operand address) {
  std::vector<TypeId> out;
  if (!add_classes(id, address, deepest, out)) out.clear();
  return out;
}

bool DeclaredPlaces::add_classes(FunctionId id, Operand address, int depth, std::vector<TypeId>& out) {
  if (depth == 0) return false;
  if (address.is_constant()) return true;  // null: there is no object
  const Function& f = program_.functions[id];
  const auto add = [&](Place place) {
    const TypeId type = class_at(place);
    if (type) out.push_back(type);
    return type.valid();
  };
  if (!address.is_value()) return add(at(id, address));
  const ValueId value = address.as_value();
  const bool is_named = add_named(f, value, out);
  if (f.is_parameter(value)) return is_named || add({keys_.named_pointee(f, value), 0});
  const Instruction& source = f.instructions[f.definition(value)];
  const auto operands = f.operands_of(source);
  switch (source.opcode) {
    case Opcode::Phi:
      if (is_named) return true;
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
        if (!add_classes(id, operands[k], depth - 1, out)) return false;
      return true;
    case Opcode::Select:
      return is_named || (add_classes(id, operands[1], depth - 1, out) && add_classes(id, operands[2], depth - 1, out));
    case Opcode::Freeze: return is_named || add_classes(id, operands[0], depth - 1, out);
    case Opcode::Load: {
      const Place from = at(id, operands[0]);
      return add({keys_.pointee_at(from.type, from.offset), 0}) || is_named;
    }
    case Opcode::Gep: {
      // The class that a machine type stands for is not that of the object if several have its layout.
      const GepInfo& info = f.geps[source.extra];
      if (std::ranges::any_of(info.strides, [](std::int64_t stride) { return stride != 0; })) return is_named;
      const Place base = at(id, operands[0]);
      return add({base.type, base.offset + info.constant_offset}) || is_named;
    }
    default: return is_named || add(at(id, address));
  }
}

}  // namespace heddle::scan
