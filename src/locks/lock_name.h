// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the algebra asks of the name of a lock, and of the relations between names.
//
// A name stands for one lock at one moment. Equal names are one lock; different names may be one lock too: `p->m` and
// `q->m`, or a name that is only a kind ("some lock of a struct inode"). Only the driver knows, so the operations take
// a relation where it matters:
//
//   release, compose               relation(n, h): may giving back n have given back h? A lower bound asks "may they be
//                                  one lock", an upper bound "are they surely one lock": what it forgets has to be lost
//                                  in every execution.
//   excludes, find_inconsistency   relation(a, b): are they surely one lock?
//
// The first kind need not be symmetric, since its first name is the one that is given back, and is not asked about
// equal names. The second is asked about all.
#pragma once
#include <concepts>

namespace heddle::locks {

template <class Name>
concept LockName = std::regular<Name> && std::totally_ordered<Name>;

template <class Relation, class Name>
concept NameRelation = std::predicate<const Relation&, const Name&, const Name&>;

/// Names that are different are different locks.
struct DistinctNames {
  template <class Name>
  constexpr bool operator()(const Name&, const Name&) const {
    return false;
  }
};

/// Names that are equal are one lock, and nothing is known of others.
struct EqualNames {
  template <class Name>
  constexpr bool operator()(const Name& a, const Name& b) const {
    return a == b;
  }
};

}  // namespace heddle::locks
