// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AcquiredSet: locks that were acquired in some stretch of an execution, each with the strongest mode in which it was.
// An exclusive acquisition says all that a shared one says, so of both the exclusive one is kept. Where paths meet, a
// lower bound keeps what both acquired, in the weaker mode; an upper bound keeps all, in the stronger.
#pragma once
#include <vector>

#include "locks/relative_lockset.h"

namespace heddle::locks {

template <LockName Name>
struct AcquiredLock {
  Name lock;
  Mode mode = Mode::Exclusive;
  friend auto operator<=>(const AcquiredLock&, const AcquiredLock&) = default;
  friend Mode mode_of(const AcquiredLock& acquired) { return acquired.mode; }
};

/// Sorted by lock, every lock once.
template <LockName Name>
using AcquiredSet = std::vector<AcquiredLock<Name>>;

template <LockName Name>
void add(AcquiredSet<Name>& to, const Name& lock, Mode mode) {
  const auto at = row_of(to, lock);
  if (at != to.end() && at->lock == lock)
    at->mode = stronger(at->mode, mode);
  else
    to.insert(at, {lock, mode});
}

/// First one stretch, then another.
template <LockName Name>
void add(AcquiredSet<Name>& to, const AcquiredSet<Name>& more) {
  for (const AcquiredLock<Name>& acquired : more) add(to, acquired.lock, acquired.mode);
}

/// Either of the two stretches.
template <Bound bound, LockName Name>
AcquiredSet<Name> join(const AcquiredSet<Name>& a, const AcquiredSet<Name>& b) {
  AcquiredSet<Name> out;
  for_each_of_both(a, b, [&](const Name& lock, const auto* x, const auto* y) {
    if (x != nullptr && y != nullptr)
      out.push_back({lock, bound == Bound::Lower ? weaker(x->mode, y->mode) : stronger(x->mode, y->mode)});
    else if (bound == Bound::Upper)
      out.push_back({lock, x != nullptr ? x->mode : y->mode});
  });
  return out;
}

/// Whether every acquisition of `fewer` has one in `more` that is at least as strong.
template <LockName Name>
bool is_within(const AcquiredSet<Name>& fewer, const AcquiredSet<Name>& more) {
  return std::ranges::all_of(fewer, [&](const AcquiredLock<Name>& acquired) {
    const AcquiredLock<Name>* other = find_row(more, acquired.lock);
    return other != nullptr && other->mode <= acquired.mode;
  });
}

/// Whether `a` claims all that `b` claims.
template <Bound bound, LockName Name>
bool leq(const AcquiredSet<Name>& a, const AcquiredSet<Name>& b) {
  return bound == Bound::Lower ? is_within(b, a) : is_within(a, b);
}

}  // namespace heddle::locks
