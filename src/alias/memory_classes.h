// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryClasses: Steensgaard's unification with offsets. A place is a class of objects and a byte offset in it; a class
// knows for each offset where the pointer stored there leads. Unifying two places makes their classes one, shifted so
// that the two offsets meet, and unifies what is stored at offsets that now coincide.
//
//   p = &s.a (offset 0)    q = &s.b (offset 8)      places (s, 0) and (s, 8): apart
//   p = q                                           one class whose offsets count modulo 8
//
// Copying a struct makes one class of two objects that stay two: the pointers in them lead to the same places from then
// on, but a pointer to the one is none to the other. So a place also has an `object`, a second union-find:
//
//   out[i] = *p;            copy: what out[i].next and p->next lead to is one; out and *p are two objects
//
// The modulus (`period`) is all there is to arrays, casts and merges at odd distances: 0 means offsets count as they
// are, 1 that the whole object is one cell. Near-linear: each class is merged away once and its links move to the
// larger one.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/id.h"

namespace heddle::alias {

struct MemoryClass;
using ClassId = Id<MemoryClass>;

/// `cls` none: leads nowhere that is known.
struct Place {
  ClassId cls;  ///< what lies there
  std::int32_t offset = 0;
  ClassId object = {};  ///< which it is; none: the one that the class was made for
  [[nodiscard]] bool valid() const { return cls.valid(); }
  friend bool operator==(Place, Place) = default;
};

class MemoryClasses {
 public:
  ClassId fresh();
  /// The same place, named by the class it belongs to now.
  [[nodiscard]] Place find(Place place) const;
  [[nodiscard]] Place at(Place place, std::int64_t distance) const;
  /// What the pointer stored at `place` leads to; made if nothing is known yet.
  Place content(Place place);
  /// As above, none if nothing was ever stored or loaded there.
  [[nodiscard]] Place known_content(Place place) const;
  /// At every offset of its class.
  [[nodiscard]] std::vector<Place> known_contents(Place place) const;
  void unify(Place a, Place b);
  /// The content of one is put into the other.
  void copy(Place a, Place b);
  /// From now on offsets in the class count modulo `stride` (and every modulus they had).
  void repeat(Place place, std::uint64_t stride);
  [[nodiscard]] std::uint32_t period(ClassId id) const { return nodes_[find({id, 0}).cls.index()].period; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t object_count() const { return objects_.size(); }
  /// Forgets classes that were merged away and numbers the others anew; `places` are all that is kept outside.
  void compact(std::initializer_list<std::vector<Place>*> places);
  /// The classes that were merged, `gone` into `kept`, since the last call; in order.
  std::vector<std::pair<ClassId, ClassId>> take_merges();

 private:
  struct Link {
    std::int32_t offset = 0;
    Place target;
  };
  struct Node {
    ClassId parent;          ///< none: a representative
    std::int32_t shift = 0;  ///< its origin, as an offset in the parent
    std::uint32_t period = 0;
    std::vector<Link> links;  ///< sorted by offset
  };

  [[nodiscard]] std::int32_t reduce(const Node& node, std::int64_t offset) const;
  void set_period(ClassId id, std::uint64_t period);
  void merge_one(Place a, Place b);
  void merge_pending();
  [[nodiscard]] ClassId object_of(Place place) const;
  void absorb(ClassId into, std::vector<Link> links, std::int64_t shift);

  mutable std::vector<Node> nodes_;
  mutable std::vector<ClassId> objects_;  ///< the parent of each; itself: a representative
  std::vector<std::pair<Place, Place>> pending_;
  std::vector<std::pair<ClassId, ClassId>> merges_;
};

}  // namespace heddle::alias
