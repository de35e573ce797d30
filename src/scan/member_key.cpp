// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/member_key.h"

namespace heddle::scan {
namespace {

/// The last member that begins at or before the byte and has it inside; of a union the first that is a record.
const Field* member_at(const Type& record, std::int64_t offset) {
  const Field* found = nullptr;
  for (const Field& field : record.fields) {
    const auto begin = static_cast<std::int64_t>(field.offset_bits / 8);
    const auto bytes = static_cast<std::int64_t>((field.size_bits + 7) / 8);
    if (offset < begin || (bytes != 0 && offset >= begin + bytes)) continue;
    if (record.kind == TypeKind::Union && found != nullptr) break;
    found = &field;
  }
  return found;
}

}  // namespace

MemberKeys::Found MemberKeys::walk(TypeId type, std::int64_t offset) const {
  Found out;
  while (type) {
    const Type& t = program_.types[type];
    const auto size = static_cast<std::int64_t>(t.size_bytes());
    if (size > 0 && (offset < 0 || offset >= size)) offset = ((offset % size) + size) % size;
    if (t.kind == TypeKind::Array && t.element) {
      type = t.element;
      if (program_.types[type].size_bits == 0) break;
      continue;
    }
    out.leaf = type;
    if (t.kind != TypeKind::Struct && t.kind != TypeKind::Union) break;
    out.key = {type, static_cast<std::int32_t>(offset)};
    // A union is one piece: its members share their bytes.
    if (t.kind == TypeKind::Union) break;
    const Field* field = member_at(t, offset);
    if (field == nullptr) break;
    if (field->is_bitfield) {
      out.leaf = field->type;
      out.key.offset = static_cast<std::int32_t>(field->offset_bits / 32 * 4);
      break;
    }
    const auto begin = static_cast<std::int64_t>(field->offset_bits / 8);
    offset -= begin;
    // Any byte of a scalar member stands for the member, any element of an array for the first.
    out.key.offset = static_cast<std::int32_t>(begin);
    type = field->type;
  }
  return out;
}

const MemberKeys::Found& MemberKeys::find(TypeId type, std::int64_t offset) {
  const std::uint64_t name = static_cast<std::uint64_t>(type.index()) << 32 | static_cast<std::uint32_t>(offset);
  const auto [at, is_new] = found_.try_emplace(name);
  if (is_new) at->second = walk(type, offset);
  return at->second;
}

MemberKey MemberKeys::at(TypeId type, std::int64_t offset) { return type ? find(type, offset).key : MemberKey{}; }

TypeId MemberKeys::pointee_at(TypeId type, std::int64_t offset) {
  if (!type) return {};
  const TypeId leaf = find(type, offset).leaf;
  return leaf ? pointee(leaf) : TypeId{};
}

TypeId MemberKeys::pointee(TypeId pointer) const {
  if (!pointer) return {};
  const Type& type = program_.types[pointer];
  if (type.kind != TypeKind::Pointer || !type.element) return {};
  const TypeKind kind = program_.types[type.element].kind;
  return kind == TypeKind::Void || kind == TypeKind::Function || kind == TypeKind::Other ? TypeId{} : type.element;
}

TypeId MemberKeys::source_of(TypeId machine) {
  while (machine && program_.types[machine].kind == TypeKind::Array) machine = program_.types[machine].element;
  if (!machine) return {};
  const auto [at, is_new] = sources_.try_emplace(machine.index());
  if (is_new && program_.types[machine].kind == TypeKind::Struct) at->second = structs_.source_of(machine);
  return at->second;
}

}  // namespace heddle::scan
