// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a part of a variable lies, by its name: `.wheel[2].speed`. Needs the types of debug information.
#pragma once
#include <charconv>
#include <optional>
#include <string_view>

#include "program/model/program.h"

namespace heddle::depend {

struct MemberPlace {
  std::uint64_t offset = 0, size = 0;  ///< in bytes
  TypeId type = {};
};

/// The member itself, or that of an anonymous struct, a union or a base class inside.
inline std::optional<MemberPlace> member_of(const Program& program, const MemberPlace& of, std::string_view name) {
  for (const Field& field : program.types[of.type].fields) {
    const MemberPlace place{of.offset + field.offset_bits / 8, (field.size_bits + 7) / 8, field.type};
    if (field.name == name) return place;
    if (!field.name.empty() && !field.is_base) continue;
    if (const auto inside = field.type ? member_of(program, place, name) : std::nullopt) return inside;
  }
  return std::nullopt;
}

/// None: there is no such part.
inline std::optional<MemberPlace> member_place(const Program& program, TypeId type, std::string_view path) {
  if (!type) return std::nullopt;
  MemberPlace here{0, program.types[type].size_bytes(), type};
  while (!path.empty()) {
    const Type& around = program.types[here.type];
    const std::size_t end = std::min(path.find_first_of(".[", 1), path.size());
    const std::string_view step = path.substr(1, end - 1);
    if (step.empty()) return std::nullopt;
    if (path.front() == '.') {
      const auto member = member_of(program, here, step);
      if (!member || !member->type) return std::nullopt;
      here = *member;
    } else {
      std::uint64_t index = 0;
      const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
      const bool is_index = path.front() == '[' && read.ec == std::errc() && read.ptr == step.end() - 1;
      if (!is_index || step.back() != ']' || around.kind != TypeKind::Array || index >= around.count)
        return std::nullopt;
      const std::uint64_t size = program.types[around.element].size_bytes();
      here = {here.offset + index * size, size, around.element};
    }
    path.remove_prefix(end);
  }
  return here;
}

}  // namespace heddle::depend
