// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which source struct a machine struct stands for. Instructions know only `%struct.dev` and its layout, debug
// information knows members: this finds the latter for the former, by name where there is one, else by a layout that
// fits exactly one source struct. Names only decide how an access is written, never what it touches.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/model/program.h"

namespace heddle {

class StructIndex {
 public:
  explicit StructIndex(const Program& program);

  /// None if no source struct fits, or several do.
  TypeId source_of(TypeId machine);
  /// Whether the source type may be the one the machine struct was made from.
  [[nodiscard]] bool matches(TypeId source, TypeId machine);

 private:
  [[nodiscard]] bool compare(TypeId source, TypeId machine) const;
  [[nodiscard]] bool same_layout(const Type& source, const Type& machine) const;
  [[nodiscard]] TypeId find(const Type& machine) const;

  const Program& program_;
  std::map<std::string, std::vector<TypeId>, std::less<>> by_name_;
  std::map<std::uint64_t, std::vector<TypeId>> by_size_;
  std::map<TypeId, TypeId> found_;
  std::unordered_map<std::uint64_t, bool> matches_;  ///< by both types; only looked up
};

/// `struct.ns::vec.12` and `ns::vec<int>` both give `ns::vec`.
std::string plain_struct_name(std::string_view name);

}  // namespace heddle
