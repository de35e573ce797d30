// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the algebra asks of the name of a lock, and of the relations between names.
//
// A name stands for one lock at one moment. Equal names are one lock; different names may be one lock too: `p->m` and
// `q->m`, or a name that is only a kind ("some lock of a struct inode"). Only the driver knows, so the operations take
// a relation where it matters:
//
//   release(n, relation)       relation(n, h): may the release of n have been one of h?   a lower bound asks "may they
//   be compose(…, relation)       one lock", an upper bound "are they surely one lock": what is lost has to be lost in
//   every
//                              execution before an upper bound may forget it
//   excludes, find_inconsistency   relation(a, b): are they surely one lock?
//
// A relation need not be symmetric (the first name is the one that is given back) and is never asked about equal names.
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
