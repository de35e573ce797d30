// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AcquisitionHistory: for each lock held, the locks that were acquired since it was taken, also if they were given back
// (CAV07 §4, Definition 6). What it is for: consistency.h.
//
//   lock(a); lock(b); unlock(b)                        {a: {b}}
//   lock(a); lock(b); unlock(b); unlock(a); lock(a)    {a: {}}          taken anew, so nothing since
//   lock(a); lock(b); wait(c, b)                       {a: {b}, b: {}}  the wait gave b back and took it again
//   lock(a); if (trylock(b) failed) …                  {a: {}}          a try-lock that fails takes nothing
//
// "Taken" is when it was last taken by somebody who did not hold it: a recursive lock that is taken once more has been
// held all the time, and only that counts. Relative to the entry of a function, as locksets are, in three parts:
//
//   rows          own locks: what was acquired since. Own locks are those of L+ of the lockset that goes with it.
//   since_entry   all that was acquired since the entry. It goes to the history of every lock that the caller holds …
//   interrupted   … unless that lock may have been given back on the way, and taken again or not: then its old
//                 history is gone and nothing is claimed. `depth` is how many of the caller's holds were gone at the
//                 deepest point; one that is held more often than that was held all the time. Unlike L−, which only
//                 says what is missing now, `unlock(m); lock(m);` stays here.
//
// Soundness of the lower bound. Every row is a set of acquisitions that surely happened while its lock was held. Adding
// happens only on acquisitions that surely take place; where paths meet, rows of one side only vanish and the others
// are intersected; a lock that may have been given back loses its row. So a row is at most Definition 6's set in every
// execution that leads here. The upper bound does the opposite at each of these points: it unites where paths meet, and
// drops a row only when the lock was surely given back. A row that is missing means: not among the own locks.
//
// The history knows no counts: operations are told by LockState, which keeps lockset and history in step. Cost: an
// acquisition touches every row, so the square of the nesting depth.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "locks/acquired_set.h"

namespace heddle::locks {

template <LockName Name>
struct HistoryRow {
  Name lock;
  AcquiredSet<Name> since;
  friend auto operator<=>(const HistoryRow&, const HistoryRow&) = default;
};

template <LockName Name>
struct Interruption {
  Name lock;
  std::uint8_t depth = 1;  ///< LockChange::any: any number
  friend auto operator<=>(const Interruption&, const Interruption&) = default;
};

template <LockName Name, Bound bound = Bound::Lower, Reentry reentry = Reentry::Possible>
struct AcquisitionHistory {
  using Lockset = RelativeLockset<Name, bound, reentry>;

  std::vector<HistoryRow<Name>> rows;  ///< sorted by lock
  AcquiredSet<Name> since_entry;
  std::vector<Interruption<Name>> interrupted;  ///< sorted by lock
  friend auto operator<=>(const AcquisitionHistory&, const AcquisitionHistory&) = default;

  [[nodiscard]] const AcquiredSet<Name>* find(const Name& lock) const {
    const HistoryRow<Name>* row = find_row(rows, lock);
    return row != nullptr ? &row->since : nullptr;
  }

  /// Taken. A lock that has a row is among the own locks already, so it has been held all the time and keeps it.
  void acquire(const Name& lock, Mode mode);
  /// Given back. `after`: the lockset after that.
  void release(const Name& lock, const Lockset& after);
  /// Names that mean something else from now on.
  template <class Predicate>
  void forget_if(const Predicate& is_stale)
    requires(bound == Bound::Lower)
  {
    std::erase_if(rows, [&](const auto& row) { return is_stale(row.lock); });
    for (HistoryRow<Name>& row : rows) std::erase_if(row.since, [&](const auto& x) { return is_stale(x.lock); });
    std::erase_if(since_entry, [&](const auto& x) { return is_stale(x.lock); });
  }
  /// The entry's hold of this lock was gone, `depth` levels deep.
  void interrupt(const Name& lock, int depth);
};

template <LockName Name, Bound bound, Reentry reentry>
void AcquisitionHistory<Name, bound, reentry>::acquire(const Name& lock, Mode mode) {
  add(since_entry, lock, mode);
  for (HistoryRow<Name>& row : rows)
    if (row.lock != lock) add(row.since, lock, mode);
  if (const auto at = row_of(rows, lock); at == rows.end() || at->lock != lock) rows.insert(at, {lock, {}});
}

template <LockName Name, Bound bound, Reentry reentry>
void AcquisitionHistory<Name, bound, reentry>::release(const Name& lock, const Lockset& after) {
  std::erase_if(rows, [&](const HistoryRow<Name>& row) { return after.find(row.lock) == nullptr; });
  interrupt(lock, after.change_of(lock).loss());
}

template <LockName Name, Bound bound, Reentry reentry>
void AcquisitionHistory<Name, bound, reentry>::interrupt(const Name& lock, int depth) {
  if (depth <= 0) return;
  const int most = bound == Bound::Lower ? LockChange::any : LockChange::any - 1;
  const auto count = static_cast<std::uint8_t>(std::min(depth, most));
  const auto at = row_of(interrupted, lock);
  if (at == interrupted.end() || at->lock != lock)
    interrupted.insert(at, {lock, count});
  else
    at->depth = std::max(at->depth, count);
}

/// How many of the holds of an own lock are gone at the deepest point of what follows: those given back under its name,
/// and those given back under another that are not covered by own holds of that name.
template <LockName Name, Bound bound, Reentry reentry, NameRelation<Name> Relation>
int times_given_back(const Name& lock, const RelativeLockset<Name, bound, reentry>& held,
                     const AcquisitionHistory<Name, bound, reentry>& then, const Relation& relation) {
  int times = 0;
  for (const Interruption<Name>& gone : then.interrupted) {
    if (gone.lock == lock)
      times += gone.depth;
    else if (relation(gone.lock, lock))
      times += std::max(0, gone.depth - held.change_of(gone.lock).acquired);
  }
  return times;
}

/// First `before`, then `then`, as at a call. `held`: the lockset that goes with `before`.
template <LockName Name, Bound bound, Reentry reentry, NameRelation<Name> Relation = DistinctNames>
AcquisitionHistory<Name, bound, reentry> compose(const AcquisitionHistory<Name, bound, reentry>& before,
                                                 const RelativeLockset<Name, bound, reentry>& held,
                                                 const AcquisitionHistory<Name, bound, reentry>& then,
                                                 const Relation& relation = {}) {
  AcquisitionHistory<Name, bound, reentry> out = before;
  std::erase_if(out.rows, [&](const HistoryRow<Name>& row) {
    return times_given_back(row.lock, held, then, relation) >= held.change_of(row.lock).acquired;
  });
  for (HistoryRow<Name>& row : out.rows)
    for (const AcquiredLock<Name>& acquired : then.since_entry)
      if (acquired.lock != row.lock) add(row.since, acquired.lock, acquired.mode);
  for (const HistoryRow<Name>& row : then.rows)
    if (const auto at = row_of(out.rows, row.lock); at == out.rows.end() || at->lock != row.lock)
      out.rows.insert(at, row);
  add(out.since_entry, then.since_entry);
  for (const Interruption<Name>& gone : then.interrupted)
    out.interrupt(gone.lock,
                  gone.depth == LockChange::any ? gone.depth : held.change_of(gone.lock).loss() + gone.depth);
  return out;
}

/// Either of the two happened.
template <LockName Name, Bound bound, Reentry reentry>
AcquisitionHistory<Name, bound, reentry> join(const AcquisitionHistory<Name, bound, reentry>& a,
                                              const AcquisitionHistory<Name, bound, reentry>& b) {
  AcquisitionHistory<Name, bound, reentry> out;
  for_each_of_both(a.rows, b.rows, [&](const Name& lock, const auto* x, const auto* y) {
    if (x != nullptr && y != nullptr)
      out.rows.push_back({lock, join<bound>(x->since, y->since)});
    else if (bound == Bound::Upper)
      out.rows.push_back({lock, x != nullptr ? x->since : y->since});
  });
  out.since_entry = join<bound>(a.since_entry, b.since_entry);
  for_each_of_both(a.interrupted, b.interrupted, [&](const Name& lock, const auto* x, const auto* y) {
    if (x != nullptr && y != nullptr)
      out.interrupted.push_back(
          {lock, bound == Bound::Lower ? std::max(x->depth, y->depth) : std::min(x->depth, y->depth)});
    else if (bound == Bound::Lower)
      out.interrupted.push_back(x != nullptr ? *x : *y);
  });
  return out;
}

/// At the head of a loop: an interruption that gets deeper with every round is as deep as can be.
template <LockName Name, Bound bound, Reentry reentry>
AcquisitionHistory<Name, bound, reentry> widen(const AcquisitionHistory<Name, bound, reentry>& known,
                                               const AcquisitionHistory<Name, bound, reentry>& next) {
  AcquisitionHistory<Name, bound, reentry> out = join(known, next);
  if constexpr (bound == Bound::Lower)
    for (Interruption<Name>& gone : out.interrupted) {
      const Interruption<Name>* before = find_row(known.interrupted, gone.lock);
      if (before == nullptr || before->depth < gone.depth) gone.depth = LockChange::any;
    }
  return out;
}

/// Whether `a` claims all that `b` claims.
template <LockName Name, Bound bound, Reentry reentry>
bool leq(const AcquisitionHistory<Name, bound, reentry>& a, const AcquisitionHistory<Name, bound, reentry>& b) {
  // The side whose rows have to be there on the other one: a lower bound may claim more, an upper bound allow less.
  const auto& [few, many] = bound == Bound::Lower ? std::tie(b, a) : std::tie(a, b);
  const auto& [calm, broken] = bound == Bound::Lower ? std::tie(a, b) : std::tie(b, a);
  return leq<bound>(a.since_entry, b.since_entry) &&
         std::ranges::all_of(few.rows,
                             [&](const HistoryRow<Name>& row) {
                               const AcquiredSet<Name>* other = many.find(row.lock);
                               return other != nullptr && is_within(row.since, *other);
                             }) &&
         std::ranges::all_of(calm.interrupted, [&](const Interruption<Name>& gone) {
           const Interruption<Name>* other = find_row(broken.interrupted, gone.lock);
           return other != nullptr && gone.depth <= other->depth;
         });
}

}  // namespace heddle::locks
