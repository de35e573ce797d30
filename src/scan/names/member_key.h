// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemberKey: which member of which struct an access touches, whatever way it came there. Memory that two accesses share
// has one key, as long as the program keeps to its types (assumption `typed-memory`): so keys find candidate pairs
// among millions of accesses.
//
//   s->conns[i].head.next  and  list->next     both (struct list_head, 0): the innermost struct decides
//
// Also what a pointer stored somewhere points to, by its declared type. One object a worker; answers are remembered.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/hash_slots.h"
#include "program/model/program.h"
#include "scan/names/stable_ids.h"

namespace heddle::scan {

struct MemberKey {
  TypeId record;  ///< source struct or union; none: not a member of anything known
  std::int32_t offset = 0;
  friend auto operator<=>(const MemberKey&, const MemberKey&) = default;
};

/// What lies at a byte of a type: the whole of what summaries ask about the members of types.
struct MemberQuestion {
  TypeId type;
  std::int32_t offset = 0;
  friend auto operator<=>(const MemberQuestion&, const MemberQuestion&) = default;
};
struct MemberAnswer {
  MemberKey key;
  TypeId pointee;  ///< see MemberKeys::pointee_at
  friend bool operator==(const MemberAnswer&, const MemberAnswer&) = default;
};

class MemberKeys {
 public:
  explicit MemberKeys(const Program& program) : program_(program) {}

  /// Offsets outside of the type mean its neighbours in an array, or the array without a length at its end.
  MemberKey at(TypeId type, std::int64_t offset);
  /// Whether it ends with an array without a length: then nothing else comes behind its end.
  [[nodiscard]] bool has_tail(TypeId type) const;
  /// The members with a byte from `from` up to `to`, each once, in order; elements of an array are the first.
  void list_members(TypeId type, std::int64_t from, std::int64_t to, std::vector<MemberKey>& out);
  /// The same, remembered: a struct has hundreds of members, and thousands of accesses.
  const std::vector<MemberKey>& members(TypeId type, std::int64_t from, std::int64_t to);
  /// How many bytes lie between this one and the end of the array that is a member and has it inside; to the end of the
  /// type if it is in none. An array at the beginning of a struct is none: the address is the struct's as well.
  [[nodiscard]] std::int64_t rest_of_array(TypeId type, std::int64_t offset) const;
  /// What the pointer at this byte points to; none if there is none, or to void.
  TypeId pointee_at(TypeId type, std::int64_t offset);
  /// What a pointer type points to, structs before others.
  [[nodiscard]] TypeId pointee(TypeId pointer) const;
  /// What the source says the pointer in a value points to, by the names the value has; a struct before others.
  [[nodiscard]] TypeId named_pointee(const Function& function, ValueId value) const;

  [[nodiscard]] MemberAnswer ask(MemberQuestion question);
  /// A hash that differs if any question about a type may have another answer; `ids` names the types.
  std::uint64_t layout(TypeId type, const StableIds& ids);
  /// From now on, questions are written down.
  void listen() {
    is_listening_ = true;
    asked_.clear();
  }
  /// Those since listen(), each once, sorted.
  std::vector<MemberQuestion> stop_listening();

 private:
  struct Found {
    MemberKey key;
    TypeId leaf;  ///< the type at exactly that byte
  };
  void list_overlapping(TypeId record, std::int64_t from, std::int64_t to, std::vector<MemberKey>& out);
  const Found& find(TypeId type, std::int64_t offset);
  [[nodiscard]] Found walk(TypeId type, std::int64_t offset) const;

  const Program& program_;
  struct Span {
    TypeId type;
    std::int64_t from = 0, to = 0;
    friend bool operator==(const Span&, const Span&) = default;
  };
  struct SpanHash {
    std::size_t operator()(const Span& s) const {
      return mixed(mixed(s.type.index(), static_cast<std::uint64_t>(s.from)), static_cast<std::uint64_t>(s.to));
    }
  };
  std::unordered_map<std::uint64_t, Found> found_;
  std::unordered_map<Span, std::vector<MemberKey>, SpanHash> members_;  ///< only looked up
  std::vector<std::uint64_t> layouts_;                                  ///< by type; 0: not asked yet
  bool is_listening_ = false;
  std::vector<MemberQuestion> asked_;
};

}  // namespace heddle::scan
