// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RelativeLockset (L+, L−): what happened to the locks since the entry of a function, or of a thread (RELAY §3.2). L+
// has the locks surely acquired, with mode and count; L− those that may have been released and were held at the entry.
//
//   lock(a); lock(b); unlock(a)        ({b}, {})         a was ours to give back
//   unlock(a); lock(b)                 ({b}, {a})        a was the caller's
//   unlock(a); lock(a)                 ({a}, {a})        given back, then taken again: that is the order they apply in
//   if (c) lock(a);                    ({}, {})          not sure, so not claimed
//   if (c) unlock(a);                  ({}, {a})         possible, so feared
//
// Of one lock the set keeps a LockChange, which says what the operations mean and why join has the laws of a lattice.
// For all locks they are taken name by name. Unlike in the paper, a lock that the code itself acquired does not go to
// L− when it is given back: a lock that is not re-entrant cannot have been held by the caller as well, and a re-entrant
// one is still held afterwards, once less.
//
// Soundness. In an execution that holds the locks E at the entry, the locks held now are at least what E and (L+, L−)
// give: `compose(E, change).acquired`, where E is itself a lockset relative to a point before, in the end to the start
// of the thread, where nothing is held and L+ is absolute. Names may be vague: see lock_name.h for the relation that
// release and compose take. With Bound::Upper everything is turned round: L+ has what may be held, L− what surely went.
//
// Cost: sorted vectors; acquire and release are a search and a move, join and compose one of these per row.
#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "locks/lock_change.h"
#include "locks/lock_name.h"

namespace heddle::locks {

template <LockName Name>
struct HeldLock {
  Name lock;
  Mode mode = Mode::Exclusive;
  std::uint8_t count = 1;
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
  friend Mode mode_of(const HeldLock& held) { return held.mode; }
  [[nodiscard]] bool is_shared() const { return mode == Mode::Shared; }
};

template <LockName Name>
struct ReleasedLock {
  Name lock;
  std::uint8_t count = 1;     ///< LockChange::released; 0 only if weakened
  std::uint8_t weakened = 0;  ///< LockChange::weakened
  friend auto operator<=>(const ReleasedLock&, const ReleasedLock&) = default;
};

/// The row of a lock in a list sorted by lock, or where it belongs.
template <class Rows, class Name>
auto row_of(Rows& rows, const Name& lock) {
  return std::ranges::lower_bound(rows, lock, {}, [](const auto& row) -> const Name& { return row.lock; });
}
template <class Rows, class Name>
auto* find_row(Rows& rows, const Name& lock) {
  const auto at = row_of(rows, lock);
  return at != rows.end() && at->lock == lock ? &*at : nullptr;
}

template <LockName Name, Bound bound = Bound::Lower, Reentry reentry = Reentry::Possible>
struct RelativeLockset {
  std::vector<HeldLock<Name>> acquired;      ///< L+, sorted by lock
  std::vector<ReleasedLock<Name>> released;  ///< L−, sorted by lock
  friend auto operator<=>(const RelativeLockset&, const RelativeLockset&) = default;

  [[nodiscard]] bool is_empty() const { return acquired.empty() && released.empty(); }
  [[nodiscard]] const HeldLock<Name>* find(const Name& lock) const { return find_row(acquired, lock); }
  [[nodiscard]] LockChange change_of(const Name& lock) const;

  /// Taken: by lock, by a try-lock that succeeded, by a wait that got it back. A try-lock that failed changes nothing.
  void acquire(const Name& lock, Mode mode, std::uint8_t times = 1) {
    apply(lock, LockChange::taking(mode, times), DistinctNames{});
  }
  /// Given back. Of our own holds first those under this name. If there are none left, what is given back was held
  /// under another name, by us or by a caller: each of ours that it may have been (`relation`) counts as given back,
  /// and so does the name for the caller.
  template <NameRelation<Name> Relation = DistinctNames>
  void release(const Name& lock, const Relation& relation = {}) {
    apply(lock, LockChange::giving_back(), relation);
  }
  /// Whatever a piece of code does to the lock of this name.
  template <NameRelation<Name> Relation>
  void apply(const Name& lock, const LockChange& change, const Relation& relation);
  /// Locks whose names mean something else from now on: nothing is claimed of them. Only a lower bound can forget.
  template <class Predicate>
  void forget_if(const Predicate& is_stale)
    requires(bound == Bound::Lower)
  {
    std::erase_if(acquired, [&](const HeldLock<Name>& held) { return is_stale(held.lock); });
  }

 private:
  void set(const Name& lock, const LockChange& change);
};

template <LockName Name, Bound bound, Reentry reentry>
LockChange RelativeLockset<Name, bound, reentry>::change_of(const Name& lock) const {
  LockChange out;
  if (const HeldLock<Name>* held = find(lock)) {
    out.acquired = held->count;
    out.mode = held->mode;
  }
  if (const ReleasedLock<Name>* row = find_row(released, lock)) {
    out.released = row->count;
    out.weakened = row->weakened;
  }
  return out;
}

/// Puts a row in its place, changes it, or takes it away.
template <class Rows, class Row>
void set_row(Rows& rows, const Row& row, bool is_wanted) {
  const auto at = row_of(rows, row.lock);
  const bool is_there = at != rows.end() && at->lock == row.lock;
  if (is_there && is_wanted)
    *at = row;
  else if (is_wanted)
    rows.insert(at, row);
  else if (is_there)
    rows.erase(at);
}

template <LockName Name, Bound bound, Reentry reentry>
void RelativeLockset<Name, bound, reentry>::set(const Name& lock, const LockChange& change) {
  set_row(acquired, HeldLock<Name>{lock, change.mode, change.acquired}, change.acquired != 0);
  set_row(released, ReleasedLock<Name>{lock, change.released, change.weakened}, change.has_lost());
}

template <LockName Name, Bound bound, Reentry reentry>
template <NameRelation<Name> Relation>
void RelativeLockset<Name, bound, reentry>::apply(const Name& lock, const LockChange& change,
                                                  const Relation& relation) {
  const LockChange before = change_of(lock);
  const int lost = bound == Bound::Lower ? change.released : std::max(change.loss(), 0);
  if (const int others = lost - before.acquired; others > 0)
    std::erase_if(acquired, [&](HeldLock<Name>& held) {
      const bool is_unknown = held.count == LockChange::any;  // of an upper bound: some are left
      if (held.lock == lock || is_unknown || !relation(lock, held.lock)) return false;
      held.count = static_cast<std::uint8_t>(std::max(held.count - others, 0));
      return held.count == 0;
    });
  set(lock, compose<bound, reentry>(before, change));
}

/// First `before`, then `then`, as at a call: the paper's lockUpdate.
template <LockName Name, Bound bound, Reentry reentry, NameRelation<Name> Relation = DistinctNames>
RelativeLockset<Name, bound, reentry> compose(const RelativeLockset<Name, bound, reentry>& before,
                                              const RelativeLockset<Name, bound, reentry>& then,
                                              const Relation& relation = {}) {
  RelativeLockset<Name, bound, reentry> out = before;
  // What is given back under several names has to be seen before anything is taken.
  for (const ReleasedLock<Name>& row : then.released) out.apply(row.lock, then.change_of(row.lock), relation);
  for (const HeldLock<Name>& held : then.acquired)
    if (find_row(then.released, held.lock) == nullptr)
      out.apply(held.lock, LockChange::taking(held.mode, held.count), relation);
  return out;
}

/// Calls fn(name, row or nullptr, row or nullptr) for every lock of two sorted lists.
template <class Rows, class Fn>
void for_each_of_both(const Rows& a, const Rows& b, const Fn& fn) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const bool takes_x = y == b.end() || (x != a.end() && !(y->lock < x->lock));
    const bool takes_y = x == a.end() || (y != b.end() && !(x->lock < y->lock));
    fn(takes_x ? x->lock : y->lock, takes_x ? &*x : nullptr, takes_y ? &*y : nullptr);
    if (takes_x) ++x;
    if (takes_y) ++y;
  }
}

/// Name by name `combine(change, change)`, where nothing with nothing gives nothing.
template <LockName Name, Bound bound, Reentry reentry, class Combine>
RelativeLockset<Name, bound, reentry> combine_changes(const RelativeLockset<Name, bound, reentry>& a,
                                                      const RelativeLockset<Name, bound, reentry>& b,
                                                      const Combine& combine) {
  RelativeLockset<Name, bound, reentry> out;
  for_each_of_both(a.acquired, b.acquired, [&](const Name& lock, const auto* x, const auto* y) {
    if (bound == Bound::Lower && (x == nullptr || y == nullptr)) return;
    const LockChange both = combine(a.change_of(lock), b.change_of(lock));
    out.acquired.push_back({lock, both.mode, both.acquired});
  });
  for_each_of_both(a.released, b.released, [&](const Name& lock, const auto*, const auto*) {
    const LockChange both = combine(a.change_of(lock), b.change_of(lock));
    if (both.has_lost()) out.released.push_back({lock, both.released, both.weakened});
  });
  return out;
}

/// Either of the two happened: what is claimed afterwards holds on both ways.
template <LockName Name, Bound bound, Reentry reentry>
RelativeLockset<Name, bound, reentry> join(const RelativeLockset<Name, bound, reentry>& a,
                                           const RelativeLockset<Name, bound, reentry>& b) {
  return combine_changes(a, b, [](const LockChange& x, const LockChange& y) { return join<bound>(x, y); });
}

/// At the head of a loop: what was known there, and what comes round.
template <LockName Name, Bound bound, Reentry reentry>
RelativeLockset<Name, bound, reentry> widen(const RelativeLockset<Name, bound, reentry>& known,
                                            const RelativeLockset<Name, bound, reentry>& next) {
  return combine_changes(known, next, [](const LockChange& x, const LockChange& y) { return widen<bound>(x, y); });
}

/// Whether `a` claims all that `b` claims.
template <LockName Name, Bound bound, Reentry reentry>
bool leq(const RelativeLockset<Name, bound, reentry>& a, const RelativeLockset<Name, bound, reentry>& b) {
  bool holds = true;
  const auto compare = [&](const Name& lock, const auto*, const auto*) {
    holds = holds && leq<bound>(a.change_of(lock), b.change_of(lock));
  };
  for_each_of_both(a.acquired, b.acquired, compare);
  for_each_of_both(a.released, b.released, compare);
  return holds;
}

/// Whether every lock that may be held on one side is surely held on the other, at least as strongly: then whatever the
/// locks of `more` let in, those of `fewer` let in as well (CAV07, Definition 5). Both relative to the same entry.
template <LockName Name, Reentry reentry>
bool must_hold_no_more(const RelativeLockset<Name, Bound::Upper, reentry>& fewer,
                       const RelativeLockset<Name, Bound::Lower, reentry>& more) {
  return more.released.empty() && std::ranges::all_of(fewer.acquired, [&](const HeldLock<Name>& held) {
           const HeldLock<Name>* other = more.find(held.lock);
           return other != nullptr && other->mode <= held.mode;
         });
}

}  // namespace heddle::locks
