// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/one_place.h"

#include <algorithm>

#include "program/names/type_walk.h"

namespace heddle::scan {
namespace {

/// An array means one of its elements, and what lies outside of a type its neighbours in an array.
TypedByte in_one_element(const Program& program, TypedByte at) {
  while (at.type) {
    const Type& type = program.types[at.type];
    const auto size = static_cast<std::int64_t>(type.size_bytes());
    if (size > 0 && (at.offset < 0 || at.offset >= size)) at.offset = ((at.offset % size) + size) % size;
    if (type.kind != TypeKind::Array) break;
    at.type = type.element;
  }
  return at;
}

/// Whether the type says anything about what lies there. Pointers to characters are used for everything.
bool says_something(const Program& program, TypeId id) {
  if (!id) return false;
  const Type& type = program.types[id];
  if (type.kind == TypeKind::Int || type.kind == TypeKind::Float) return type.size_bits > 8;
  return (is_record(type) && type.size_bits != 0) || type.kind == TypeKind::Pointer;
}

bool is_same_type(const Program& program, TypeId a, TypeId b) {
  if (a == b) return true;
  const Type& x = program.types[a];
  const Type& y = program.types[b];
  return x.kind == y.kind && x.size_bits == y.size_bits && (!is_record(x) || x.name == y.name);
}

/// Whether `inner` is what lies at `outer`, or around that byte inside of it.
bool holds(const Program& program, TypedByte outer, TypedByte inner) {
  outer = in_one_element(program, outer);
  if (!outer.type) return false;
  if (outer.offset == inner.offset && is_same_type(program, outer.type, inner.type)) return true;
  const Type& type = program.types[outer.type];
  if (!is_record(type)) return false;
  return std::ranges::any_of(type.fields, [&](const Field& field) {
    const auto begin = static_cast<std::int64_t>(field.offset_bits / 8);
    const auto bytes = static_cast<std::int64_t>((field.size_bits + 7) / 8);
    return outer.offset >= begin && (bytes == 0 || outer.offset < begin + bytes) && field.type != outer.type &&
           holds(program, {field.type, outer.offset - begin}, inner);
  });
}

}  // namespace

TypedByte typed_byte(std::span<const Node> nodes, Lvalue where) {
  const Node* node = &nodes[where.node.index()];
  std::int64_t offset = where.offset;
  while (node->kind == NodeKind::Element && !node->type) {
    offset += node->offset;
    node = &nodes[node->parent.index()];
  }
  // What lies before the object is in what the object is a part of.
  const bool is_before = offset < 0 && node->whole.valid();
  const TypedByte at{is_before ? node->whole : node->type, is_before ? offset - node->whole_offset : offset,
                     nodes[where.node.index()].depth == 0};
  while (node->parent) node = &nodes[node->parent.index()];
  const bool is_declared = node->kind == NodeKind::Global || node->kind == NodeKind::Local;
  return {at.type, at.offset, at.is_whole && is_declared};
}

bool may_be_one_place(const Program& program, TypedByte a, TypedByte b) {
  a = in_one_element(program, a);
  b = in_one_element(program, b);
  if (!says_something(program, a.type) || !says_something(program, b.type)) return true;
  return (holds(program, a, b) && (a.is_whole || !b.is_whole)) || (holds(program, b, a) && (b.is_whole || !a.is_whole));
}

}  // namespace heddle::scan
