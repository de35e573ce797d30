// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From byte offsets to members: the half of access naming that knows types only, no instructions.
//
// A pointer is a Place: an object with a path, its source type, and a byte offset from its start. Address arithmetic
// adds bytes; what they mean is read off the type as late as possible, because one offset can be the struct, its first
// member, and that one's first member:
//
//   Place{*p, struct dev, 24}  read of 4 bytes  →  p->stats.rx
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/model/program.h"
#include "program/names/access_path.h"

namespace heddle {

struct Place {
  AccessPathId object;
  TypeId type;  ///< source type of the object; none if unknown
  std::int64_t offset = 0;
  /// The struct whose first member the object is, if the arithmetic may have meant that instead: &p[0] looks like
  /// &p->first. None unless offset is 0.
  AccessPathId outer = {};
  TypeId outer_type = {};
};

/// The variable part of an address.
struct IndexSymbol {
  FunctionId function;
  std::uint32_t value = 0;
  std::string text;  ///< as the source writes it; `*` if it cannot
};

/// What an access looks for, to choose among members of a union that begin at the same byte.
struct Wanted {
  std::optional<std::uint64_t> size;  ///< bytes; none: the object as such
  TypeKind kind = TypeKind::Other;
};

class TypeWalk {
 public:
  TypeWalk(const Program& program, AccessPathTable& table) : program_(program), table_(table) {}

  /// Every innermost member the bytes touch, the one that fits `wanted` best first. Never empty.
  std::vector<Place> leaves(Place at, const Wanted& wanted);
  /// The best of `leaves`, as a path; all of them, as an Overlap.
  AccessPathId best_path(Place at, const Wanted& wanted) { return path_to(leaves(at, wanted).front()); }
  AccessPathId overlap_path(Place at, const Wanted& wanted);
  /// A path to the exact byte: unexplained offsets become an Offset step.
  AccessPathId path_to(const Place& at);

  /// One member further down, as an explicit member access of the source does. Bitfields wait for the access's size.
  Place member(Place at);
  /// The place whose object starts at exactly this byte and whose type matches, if walking down finds it. Where several
  /// members of a union match, the union itself.
  std::optional<Place> find(Place at, const std::function<bool(TypeId)>& matches);
  /// at + symbol · stride.
  Place index(Place at, std::int64_t stride, const IndexSymbol& symbol);
  Place cast(const Place& at, std::string type_name, TypeId type);
  /// Offsets outside of an object that a pointer points to mean its neighbours: p[1], p[-1].
  Place into_neighbour(Place at);

  Place field(const Place& at, const Field& field);
  Place element(const Place& at);

 private:
  Place enclosing(const Place& at, const Wanted& wanted) const;
  void collect(Place at, std::optional<std::uint64_t> size, std::vector<Place>& out);
  void collect_members(const Place& at, std::optional<std::uint64_t> size, std::vector<Place>& out);
  void collect_elements(const Place& at, std::optional<std::uint64_t> size, std::vector<Place>& out);
  enum class ElementSize : std::uint8_t { Exact, Divisor };
  std::optional<Place> index_inside(const Place& at, std::int64_t stride, const IndexSymbol& symbol, ElementSize which);
  Place index_bytes(const Place& at, std::int64_t stride, const IndexSymbol& symbol);
  Place neighbour(const Place& at, std::int64_t factor, std::int64_t constant, const IndexSymbol& symbol);
  AccessPathId subscript(PathStep step, AccessPathId parent, std::int64_t factor, std::int64_t constant,
                         const IndexSymbol& symbol);
  std::vector<const Field*> fields_at(const Type& type, std::int64_t first, std::int64_t end) const;
  [[nodiscard]] const Type* type_of(const Place& at) const { return at.type ? &program_.types[at.type] : nullptr; }
  [[nodiscard]] std::int64_t size_of(TypeId type) const;
  [[nodiscard]] bool has_neighbours(AccessPathId object) const;
  [[nodiscard]] bool is_closure(const Place& at) const;

  const Program& program_;
  AccessPathTable& table_;
};

inline bool is_record(const Type& type) { return type.kind == TypeKind::Struct || type.kind == TypeKind::Union; }

}  // namespace heddle
