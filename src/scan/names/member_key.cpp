// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/member_key.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "program/names/type_walk.h"

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

/// The array without a length at the end of a record; none if there is none.
const Field* tail_of(const Program& program, const Type& record) {
  if (record.kind != TypeKind::Struct || record.fields.empty()) return nullptr;
  const Field& last = record.fields.back();
  const bool is_tail = last.size_bits == 0 && last.type && program.types[last.type].kind == TypeKind::Array;
  return is_tail ? &last : nullptr;
}

}  // namespace

MemberKeys::Found MemberKeys::walk(TypeId type, std::int64_t offset) const {
  Found out;
  while (type) {
    const Type& t = program_.types[type];
    const auto size = static_cast<std::int64_t>(t.size_bytes());
    // Behind the end comes its neighbour in an array, or its own tail.
    const bool is_behind = size > 0 && offset >= size;
    if (const Field* tail = is_behind ? tail_of(program_, t) : nullptr) {
      const auto begin = static_cast<std::int64_t>(tail->offset_bits / 8);
      out.key = {type, static_cast<std::int32_t>(begin)};
      out.leaf = type = tail->type;
      offset -= begin;
      continue;
    }
    if (size > 0 && (offset < 0 || is_behind)) offset = ((offset % size) + size) % size;
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

const MemberKeys::Found& MemberKeys::find(TypeId type, std::int64_t far) {
  const auto offset = static_cast<std::int32_t>(far);
  if (is_listening_) asked_.push_back({type, offset});
  const std::uint64_t name = static_cast<std::uint64_t>(type.index()) << 32 | static_cast<std::uint32_t>(offset);
  const auto [at, is_new] = found_.try_emplace(name);
  if (is_new) at->second = walk(type, offset);
  return at->second;
}

bool MemberKeys::has_tail(TypeId type) const { return type && tail_of(program_, program_.types[type]) != nullptr; }

void MemberKeys::list_members(TypeId type, std::int64_t from, std::int64_t to, std::vector<MemberKey>& out) {
  while (type && program_.types[type].kind == TypeKind::Array) {
    type = program_.types[type].element;
    if (!type) return;
    // Whole elements, or some bytes of one or two.
    const auto size = static_cast<std::int64_t>(program_.types[type].size_bytes());
    if (size == 0) return;
    if (to - from >= size || from < 0 || from / size != (to - 1) / size) {
      from = 0;
      to = size;
    } else {
      to -= from / size * size;
      from %= size;
    }
  }
  if (!type) return;
  const Type& record = program_.types[type];
  if (!is_record(record)) return;
  const auto whole = static_cast<std::int64_t>(record.size_bytes());
  const Field* tail = tail_of(program_, record);
  if (tail != nullptr && to > whole) {
    const auto begin = static_cast<std::int64_t>(tail->offset_bits / 8);
    const std::size_t before = out.size();
    list_members(tail->type, std::max(from - begin, std::int64_t{0}), to - begin, out);
    if (out.size() == before) out.push_back(at(type, whole));
    if (from >= whole) return;
    to = whole;
  }
  if (from < 0 || to > whole) from = 0, to = whole;
  const auto add = [&](std::int64_t offset) {
    if (const MemberKey key = at(type, offset); out.empty() || out.back() != key) out.push_back(key);
  };
  if (record.fields.empty()) return add(from);
  if (record.kind == TypeKind::Union) return list_overlapping(type, from, to, out);
  for (const Field& field : record.fields) {
    const auto begin = static_cast<std::int64_t>(field.offset_bits / 8);
    const auto end = static_cast<std::int64_t>((field.offset_bits + field.size_bits + 7) / 8);
    if (begin >= to || (end <= from && end != begin)) continue;
    const std::size_t before = out.size();
    list_members(field.type, std::max(from - begin, std::int64_t{0}), std::min(to, end) - begin, out);
    if (out.size() == before) add(std::max(begin, from));
  }
}

const std::vector<MemberKey>& MemberKeys::members(TypeId type, std::int64_t from, std::int64_t to) {
  HEDDLE_CHECK(!is_listening_, "a remembered answer asks no questions that could be written down");
  const auto [at, is_new] = members_.try_emplace({type, from, to});
  if (is_new) list_members(type, from, to, at->second);
  return at->second;
}

/// A union is one piece whose bytes have many names: all places where a number or pointer of any member begins that has
/// one of these bytes.
void MemberKeys::list_overlapping(TypeId record, std::int64_t from, std::int64_t to, std::vector<MemberKey>& out) {
  constexpr std::size_t most = 1024;
  std::vector<std::pair<TypeId, std::int64_t>> open{{record, 0}};
  std::vector<std::int64_t> begins{from};
  for (std::size_t i = 0; i < open.size() && open.size() < most; ++i) {
    const auto [id, at] = open[i];
    const Type& type = program_.types[id];
    const auto size = static_cast<std::int64_t>(type.size_bytes());
    if (at >= to || at + size <= from) continue;
    if (is_record(type)) {
      for (const Field& field : type.fields)
        if (field.type) open.emplace_back(field.type, at + static_cast<std::int64_t>(field.offset_bits / 8));
    } else if (type.kind == TypeKind::Array && type.element) {
      const auto step = static_cast<std::int64_t>(program_.types[type.element].size_bytes());
      for (std::int64_t k = step == 0 ? size : 0; k < size && open.size() < most; k += step)
        open.emplace_back(type.element, at + k);
    } else {
      begins.push_back(at);
    }
  }
  std::ranges::sort(begins);
  const auto rest = std::ranges::unique(begins);
  begins.erase(rest.begin(), rest.end());
  for (const std::int64_t begin : begins) out.push_back(at(record, begin));
}

std::int64_t MemberKeys::rest_of_array(TypeId type, std::int64_t offset) const {
  std::int64_t rest = std::numeric_limits<std::int64_t>::max();
  bool is_member = false;  // behind the beginning of a struct
  while (type) {
    const Type& t = program_.types[type];
    const auto size = static_cast<std::int64_t>(t.size_bytes());
    if (t.kind == TypeKind::Array && t.element) {
      if (is_member && offset >= 0 && offset < size) rest = size - offset;
      const auto step = static_cast<std::int64_t>(program_.types[t.element].size_bytes());
      if (step == 0) break;
      offset = ((offset % step) + step) % step;
      is_member = false;
      type = t.element;
      continue;
    }
    if (t.kind != TypeKind::Struct) break;
    const Field* field = member_at(t, offset);
    if (field == nullptr || field->is_bitfield) break;
    is_member |= field->offset_bits != 0;
    offset -= static_cast<std::int64_t>(field->offset_bits / 8);
    type = field->type;
  }
  return rest;
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

TypeId MemberKeys::named_pointee(const Function& function, ValueId value) const {
  TypeId found;
  auto name = std::ranges::lower_bound(function.names, value, {}, &ValueName::value);
  for (; name != function.names.end() && name->value == value; ++name) {
    if (name->names_memory) continue;
    const TypeId to = pointee(name->source_type);
    if (!to) continue;
    const TypeKind kind = program_.types[to].kind;
    if (kind == TypeKind::Struct || kind == TypeKind::Union) return to;
    if (!found) found = to;
  }
  if (found || !function.is_parameter(value) || !function.source_type) return found;
  const Type& type = program_.types[function.source_type];
  // Parameters of the machine are those of the source unless a result is returned through memory.
  if (type.parameters.size() != function.parameters.size()) return {};
  return pointee(type.parameters[value.index()]);
}

MemberAnswer MemberKeys::ask(MemberQuestion question) {
  const Found& found = find(question.type, question.offset);
  return {found.key, found.leaf ? pointee(found.leaf) : TypeId{}};
}

std::vector<MemberQuestion> MemberKeys::stop_listening() {
  is_listening_ = false;
  std::ranges::sort(asked_);
  const auto rest = std::ranges::unique(asked_);
  asked_.erase(rest.begin(), rest.end());
  return std::exchange(asked_, {});
}

std::uint64_t MemberKeys::layout(TypeId id, const StableIds& ids) {
  if (!id) return 0;
  if (layouts_.empty()) layouts_.resize(program_.types.size());
  if (layouts_[id.index()] != 0) return layouts_[id.index()];
  const Type& type = program_.types[id];
  Hasher h;
  h.add(static_cast<std::uint64_t>(type.kind)).add(type.size_bits);
  if (type.kind == TypeKind::Pointer) h.add(ids.of(pointee(id)));
  if (type.kind == TypeKind::Array) h.add(layout(type.element, ids));
  if (type.kind == TypeKind::Struct || type.kind == TypeKind::Union) {
    h.add(ids.of(id));
    layouts_[id.index()] = 1;  // nothing lies inside itself, but a damaged table might say so
    for (const Field& field : type.fields)
      h.add(field.offset_bits).add(field.size_bits).add(field.is_bitfield ? 1 : 0).add(layout(field.type, ids));
  }
  return layouts_[id.index()] = h.finish().low | 1;
}
}  // namespace heddle::scan
