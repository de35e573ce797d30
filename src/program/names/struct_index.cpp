// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/struct_index.h"

#include <algorithm>
#include <cctype>

namespace heddle {
namespace {

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

void drop_suffixes(std::string_view& name) {
  for (std::size_t dot = name.rfind('.'); dot != std::string_view::npos && dot != 0; dot = name.rfind('.')) {
    const std::string_view suffix = name.substr(dot + 1);
    if (!is_number(suffix) && suffix != "base") return;
    name = name.substr(0, dot);
  }
}

bool is_described_record(const Type& t) {
  return t.is_source && (t.kind == TypeKind::Struct || t.kind == TypeKind::Union) && !t.fields.empty();
}

/// Under one name; structs without one by what their members are called.
bool is_same_struct(const Type& a, const Type& b) {
  return a.name == b.name &&
         (!a.name.empty() || std::ranges::equal(a.fields, b.fields, {}, &Field::name, &Field::name));
}

}  // namespace

std::string plain_struct_name(std::string_view name) {
  for (const std::string_view prefix : {"struct.", "class.", "union."})
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  drop_suffixes(name);
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) out += c;
    if (c == '>' && depth > 0) --depth;
  }
  return out == "anon" ? "" : out;
}

StructIndex::StructIndex(const Program& program) : program_(program) {
  for (std::size_t i = 0; i < program.types.size(); ++i) {
    const Type& t = program.types[TypeId(i)];
    if (!is_described_record(t)) continue;
    by_size_[t.size_bits].push_back(TypeId(i));
    if (!t.name.empty()) by_name_[plain_struct_name(t.name)].push_back(TypeId(i));
  }
}

bool StructIndex::same_layout(const Type& source, const Type& machine) const {
  if (source.size_bits != machine.size_bits) return false;
  if (source.kind == TypeKind::Union) return machine.fields.size() <= 2;
  for (const Field& f : source.fields) {
    const bool has_own_place = !f.is_bitfield && f.size_bits != 0 && f.size_bits % 8 == 0;
    const auto starts_here = [&](const Field& m) { return m.offset_bits == f.offset_bits; };
    if (has_own_place && !f.is_base && std::ranges::none_of(machine.fields, starts_here)) return false;
  }
  return true;
}

bool StructIndex::matches(TypeId source, TypeId machine) {
  const auto [at, is_new] = matches_.try_emplace(std::uint64_t{source.index()} << 32 | machine.index());
  if (is_new) at->second = compare(source, machine);
  return at->second;
}

bool StructIndex::compare(TypeId source, TypeId machine) const {
  const Type& s = program_.types[source];
  const Type& m = program_.types[machine];
  if (!is_described_record(s)) return false;
  const std::string name = plain_struct_name(m.name);
  if (!name.empty() && !s.name.empty() && plain_struct_name(s.name) == name) return true;
  // A typedef's name reaches the machine type but not the anonymous struct behind it.
  const bool names_can_differ = name.empty() || s.name.empty() || !by_name_.contains(name);
  return names_can_differ && same_layout(s, m);
}

TypeId StructIndex::find(const Type& machine) const {
  const std::string name = plain_struct_name(machine.name);
  if (const auto named = by_name_.find(name); !name.empty() && named != by_name_.end()) {
    // Templates have one name for all their arguments.
    TypeId only;
    for (const TypeId id : named->second) {
      const Type& t = program_.types[id];
      if (t.size_bits != machine.size_bits || !same_layout(t, machine)) continue;
      if (only && !is_same_struct(program_.types[only], t)) return {};
      if (!only) only = id;
    }
    return only || named->second.size() > 1 ? only : named->second.front();
  }
  const auto same_size = by_size_.find(machine.size_bits);
  if (same_size == by_size_.end()) return {};
  TypeId only;
  for (const TypeId id : same_size->second) {
    const Type& t = program_.types[id];
    const auto is_plain = [](const Field& f) { return !f.is_bitfield && f.size_bits != 0; };
    const auto plain_fields = static_cast<std::size_t>(std::ranges::count_if(t.fields, is_plain));
    if (t.kind != TypeKind::Struct || !same_layout(t, machine) || plain_fields > machine.fields.size()) continue;
    if (only && !is_same_struct(program_.types[only], t)) return {};
    if (!only) only = id;
  }
  return only;
}

TypeId StructIndex::source_of(TypeId machine) {
  const auto [it, is_new] = found_.try_emplace(machine);
  if (is_new) it->second = find(program_.types[machine]);
  return it->second;
}

}  // namespace heddle
