// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Can two threads stand at two points at the same time, as far as their locks go (CAV07 §4, Theorem 7)?
//
//   thread 1: lock(a); lock(b); unlock(b); x = 3;      history {a: {b}}
//   thread 2: lock(b); lock(a); unlock(a); x = 2;      history {b: {a}}
//
// The locksets {a} and {b} have nothing in common, yet the two assignments cannot be next at the same time. Thread 1
// holds a, and took b since: at that moment thread 2 did not hold b, so it took b later, and a later still. But then
// thread 1 already held a. In general two histories are inconsistent if there are a lock a that the first holds, and a
// lock b that the second holds, such that b is in the first's history of a and a in the second's history of b.
//
// Why it is sound. Let t1 be when thread 1 took a and t2 when thread 2 took b; both hold them ever since. Thread 1 took
// b at some s1 > t1, and since thread 2 holds b from t2 on, s1 < t2. In the same way s2 > t2 and s2 < t1. So t1 < s1 <
// t2 < s2 < t1. Nothing here asks for nested locks, nor for exact histories: lower bounds do. With modes, each of the
// two conflicts (a held and a taken, b held and b taken) must not be one of two readers. The names have to be surely
// one lock, and held surely: locks of L+ of a state from the start of the thread on.
//
// The converse holds for threads that use nested locks only, each lock in one mode, and no other way to wait: if the
// locksets exclude nothing and the histories, exact this time, are consistent, the two points are reachable together.
// The tests enumerate both directions.
#pragma once
#include <optional>

#include "locks/excludes.h"
#include "locks/lock_state.h"

namespace heddle::locks {

/// Two locks taken in opposite orders: evidence that two points exclude each other.
template <LockName Name>
struct Inconsistency {
  Name first;   ///< held by the first thread, taken by the second since it took `second`
  Name second;  ///< held by the second thread, taken by the first since it took `first`
  friend auto operator<=>(const Inconsistency&, const Inconsistency&) = default;
};

/// Whether one thread, since it took `lock`, took what the other thread holds as `other`.
template <LockName Name, Reentry reentry, class Same>
bool must_have_taken(const LockState<Name, Bound::Lower, reentry>& thread, const Name& lock,
                     const HeldLock<Name>& other, const Same& must_be_one_lock) {
  const AcquiredSet<Name>* since = thread.history.find(lock);
  return since != nullptr && std::ranges::any_of(*since, [&](const AcquiredLock<Name>& taken) {
           return excludes(taken.mode, other.mode) && must_be_one_lock(taken.lock, other.lock);
         });
}

/// `must_be_one_lock(x, y)`: x of one thread and y of the other are surely one lock; has to be symmetric.
template <LockName Name, Reentry reentry, NameRelation<Name> Same = EqualNames>
std::optional<Inconsistency<Name>> find_inconsistency(const LockState<Name, Bound::Lower, reentry>& a,
                                                      const LockState<Name, Bound::Lower, reentry>& b,
                                                      const Same& must_be_one_lock = {}) {
  for (const HeldLock<Name>& x : a.lockset.acquired)
    for (const HeldLock<Name>& y : b.lockset.acquired)
      if (must_have_taken(a, x.lock, y, must_be_one_lock) && must_have_taken(b, y.lock, x, must_be_one_lock))
        return Inconsistency<Name>{x.lock, y.lock};
  return std::nullopt;
}

/// The acquisition-history weaker-than relation (CAV07, Definition 9, without the kinds of the accesses): whatever pair
/// with `later` the locks allow, they allow with `earlier` too. That is shown if everything `earlier` may hold and may
/// have acquired, `later` surely holds and has acquired: an upper bound against a lower one. From the start of one
/// thread.
template <LockName Name, Reentry reentry>
bool must_be_weaker(const LockState<Name, Bound::Upper, reentry>& earlier,
                    const LockState<Name, Bound::Lower, reentry>& later) {
  return must_hold_no_more(earlier.lockset, later.lockset) &&
         std::ranges::all_of(earlier.history.rows, [&](const HistoryRow<Name>& row) {
           const AcquiredSet<Name>* other = later.history.find(row.lock);
           return row.since.empty() || (other != nullptr && is_within(row.since, *other));
         });
}

}  // namespace heddle::locks
