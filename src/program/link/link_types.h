// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types of several units in one table, each once. Two types are one if they say the same (kind, name, sizes, members)
// and so does everything they refer to, to any depth: `struct list_head` of two units is one type, two structs that
// share only their name are two.
//
// `struct list;` in one unit, where nobody looks inside, is the `struct list { … }` of another, if all that describe it
// agree on its size and members. Such types are told apart by kind and name alone.
//
// Types refer to each other in circles, through pointers. Each circle (strongly connected component) is told apart by
// refinement: members start with what they say themselves and look one step further each round, until no round finds a
// difference; the whole circle then counts into the hash of each member. Outside circles one look is enough.
#pragma once
#include <unordered_map>
#include <vector>

#include "base/content_hash.h"
#include "program/model/program.h"
#include "program/model/shared_texts.h"

namespace heddle {

struct ContentHashHash {
  std::size_t operator()(const ContentHash& h) const { return h.low; }
};

/// Structs and unions that some units only name and others describe, all in the same way.
class OpenTypes {
 public:
  void add(const Table<Type>& types);
  [[nodiscard]] bool contains(const Type& type) const;

 private:
  struct Known {
    bool is_only_named = false;  ///< somewhere
    bool is_described = false;
    bool is_ambiguous = false;  ///< described in two ways
    ContentHash words;          ///< of the description
  };
  std::unordered_map<ContentHash, Known, ContentHashHash> known_;  // by kind and name; only looked up
};

/// One hash a type of the table; equal hashes, equal types. Circles that a thousand rounds do not tell apart (no
/// compiler makes them) get hashes of their own, which `unit` keeps away from those of other units.
std::vector<ContentHash> type_hashes(const Table<Type>& types, const OpenTypes& open, std::uint64_t unit);

class TypeMerger {
 public:
  /// `open`: of all units that will be added.
  TypeMerger(OpenTypes open, Program& to, SharedTexts& texts) : open_(std::move(open)), to_(to), texts_(texts) {}
  /// Adds the types of a unit that are not there yet; for each its id in the merged table.
  std::vector<TypeId> add(const Table<Type>& types);

 private:
  void copy(const Type& from, const std::vector<TypeId>& ids, Type& to);

  OpenTypes open_;
  Program& to_;
  SharedTexts& texts_;
  std::uint64_t units_ = 0;
  std::unordered_map<ContentHash, TypeId, ContentHashHash> known_;  // only looked up
};

}  // namespace heddle
