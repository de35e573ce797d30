// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AccessPath: a symbolic lvalue, the name of the memory an access touches, printed as the source would write it.
//
//   d->priv->stats.rx_p    root parameter d, dereference, field priv, dereference, field stats, field rx_p
//   a[i].m                 root global a, index with symbol i, field m
//   u.a|u.b                an access that covers several members of a union, or several bitfields of one unit
//
// A path is a root and a chain of steps. Equal chains are one row of the table, so paths compare by id. Roots that are
// local values keep the value's number: two values called `p` print alike and still differ. A path names memory at the
// moment of the access; that two equal paths in different places mean the same memory is for alias analysis to say.
//
// A path is complete if the root is known and every byte offset was resolved to a member or an element. An incomplete
// path still prints something short, but must not be taken as a name.
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/hash_slots.h"
#include "base/id.h"
#include "base/table.h"
#include "program/model/program.h"

namespace heddle {

struct AccessPath;
using AccessPathId = Id<AccessPath>;

enum class PathStep : std::uint8_t {
  // roots
  Parameter,   ///< value of a parameter; `index` is its number
  Local,       ///< a local variable or a named value; `index` is the ValueId
  Global,      ///< `index` is the GlobalId (or FunctionId for code); belongs to no function
  CallResult,  ///< what a call returned; `index` is the ValueId
  Allocation,  ///< memory that no variable names, such as a temporary; `index` is the ValueId
  Unknown,
  // steps
  Field,           ///< a member; `number` is its offset in bits
  Base,            ///< a base class or anonymous member: prints nothing
  Dereference,     ///< what the pointer or reference stored in the parent points to
  Element,         ///< element of an array; `number` is the index, or see `symbol`
  PointerElement,  ///< p[i]: the parent is what p points to, this is its i-th neighbour
  Cast,            ///< the parent's first bytes seen as another type (`text`); like the target of a cast pointer
  Container,       ///< container_of: the object that holds the parent as a member; `text` is "struct s, member"
  Choice,   ///< the parent is one of several possibilities (phi, select); `index` is the ValueId; prints as the parent
  Offset,   ///< bytes that no type explains: incomplete
  Overlap,  ///< several paths that one access covers: `alternatives`
};

struct AccessPath {
  PathStep step = PathStep::Unknown;
  bool is_reference = false;  ///< Dereference of a C++ reference: prints nothing
  bool is_capture = false;    ///< Field of a closure: prints as the captured variable
  bool is_symbolic = false;  ///< Element, PointerElement: `text` is the index, `*` if it has no name; `index` its value
  AccessPathId parent;       ///< none for roots and Overlap
  FunctionId function;       ///< the one `index` belongs to, if it is a value
  std::uint32_t index = 0;
  std::int64_t number = 0;
  std::string text;
  std::vector<AccessPathId> alternatives;
  friend auto operator<=>(const AccessPath&, const AccessPath&) = default;
};

class AccessPathTable {
 public:
  /// The id of this row; adds it if it is new. Adding element 0 of a pointer gives the pointer's target itself.
  AccessPathId intern(AccessPath path);

  [[nodiscard]] const AccessPath& operator[](AccessPathId id) const { return rows_[id]; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] std::size_t depth(AccessPathId id) const { return facts_[id.index()].depth; }
  /// See the head of this file.
  [[nodiscard]] bool is_complete(AccessPathId id) const { return facts_[id.index()].is_complete; }
  /// The root, looking through all steps; for an Overlap that of its first alternative.
  [[nodiscard]] AccessPathId root(AccessPathId id) const;
  /// The path as an lvalue of the source: `*p`, `p->x`.
  [[nodiscard]] std::string print(AccessPathId id) const;
  /// The pointer that leads there: `p`, `&p->x`.
  [[nodiscard]] std::string print_address(AccessPathId id) const;

 private:
  struct Facts {
    std::uint32_t depth = 0;
    bool is_complete = false;
  };
  [[nodiscard]] Facts facts_of(const AccessPath& path) const;
  [[nodiscard]] AccessPathId skip_choices(AccessPathId id) const;
  [[nodiscard]] bool is_behind_pointer(AccessPathId id) const;
  [[nodiscard]] std::string pointer_operand(AccessPathId id) const;
  [[nodiscard]] std::string object_operand(AccessPathId id) const;
  [[nodiscard]] std::string print_field(const AccessPath& field) const;
  [[nodiscard]] std::string print_neighbour(const AccessPath& path) const;
  [[nodiscard]] std::string print_overlap(const AccessPath& overlap) const;

  Table<AccessPath> rows_;
  std::vector<Facts> facts_;
  HashSlots slots_;  ///< rows by what is in them
};

}  // namespace heddle
