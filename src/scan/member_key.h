// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemberKey: which member of which struct an access touches, whatever way it came there. Memory that two accesses share has one key,
// as long as the program keeps to its types (assumption `typed-memory`): so keys find candidate pairs among millions of accesses.
//
//   s->conns[i].head.next  and  list->next     both (struct list_head, 0): the innermost struct decides
//
// Also what a pointer stored somewhere points to, by its declared type. One object a worker; answers are remembered.
#pragma once
#include <cstdint>
#include <unordered_map>

#include "program/program.h"
#include "program/struct_index.h"

namespace heddle::scan {

struct MemberKey {
  TypeId record;  ///< source struct or union; none: not a member of anything known
  std::int32_t offset = 0;
  friend auto operator<=>(const MemberKey&, const MemberKey&) = default;
};

class MemberKeys {
 public:
  explicit MemberKeys(const Program& program) : program_(program), structs_(program) {}

  /// Offsets outside of the type mean its neighbours in an array.
  MemberKey at(TypeId type, std::int64_t offset);
  /// What the pointer at this byte points to; none if there is none, or to void.
  TypeId pointee_at(TypeId type, std::int64_t offset);
  /// What a pointer type points to, structs before others.
  [[nodiscard]] TypeId pointee(TypeId pointer) const;
  /// The source struct that address arithmetic on a machine struct, or on an array of them, names; none for other types.
  TypeId source_of(TypeId machine);

 private:
  struct Found {
    MemberKey key;
    TypeId leaf;  ///< the type at exactly that byte
  };
  const Found& find(TypeId type, std::int64_t offset);
  [[nodiscard]] Found walk(TypeId type, std::int64_t offset) const;

  const Program& program_;
  StructIndex structs_;
  std::unordered_map<std::uint64_t, Found> found_;
  std::unordered_map<std::uint32_t, TypeId> sources_;
};

}  // namespace heddle::scan
