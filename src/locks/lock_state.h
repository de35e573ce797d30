// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockState: a relative lockset and the acquisition history that goes with it, kept in step. Every operation of a
// program on a lock is one member here:
//
//   lock(m)                        acquire(m, mode)
//   trylock(m) that succeeded      acquire(m, mode)
//   trylock(m) that failed         nothing: it neither took the lock nor waited for it
//   unlock(m)                      release(m)
//   pthread_cond_wait(c, m)        wait(m)
//   f(…)                           compose(state, exit state of f in our names)
//   paths that meet                join(a, b); widen(a, b) at the head of a loop
//
// The state at the entry of a function or thread is LockState{}. At the start of a thread nothing is held, so there,
// and in whatever was composed from there on, L+ and the rows of the history are absolute: what consistency.h compares.
#pragma once
#include "locks/acquisition_history.h"
#include "locks/relative_lockset.h"

namespace heddle::locks {

template <LockName Name, Bound bound = Bound::Lower, Reentry reentry = Reentry::Possible>
struct LockState {
  RelativeLockset<Name, bound, reentry> lockset;
  AcquisitionHistory<Name, bound, reentry> history;
  friend auto operator<=>(const LockState&, const LockState&) = default;

  void acquire(const Name& lock, Mode mode = Mode::Exclusive) {
    history.acquire(lock, mode);
    lockset.acquire(lock, mode);
  }

  template <NameRelation<Name> Relation = DistinctNames>
  void release(const Name& lock, const Relation& relation = {}) {
    lockset.release(lock, relation);
    history.release(lock, lockset);
  }

  /// Gives back one hold and takes it again, in the mode it had (mutexes of condition variables: exclusive). So its own
  /// history begins anew, and it goes to those of the other locks. A recursive lock that is held several times stays
  /// held through a wait, and its history goes on.
  template <NameRelation<Name> Relation = DistinctNames>
  void wait(const Name& lock, Mode mode = Mode::Exclusive, const Relation& relation = {}) {
    release(lock, relation);
    acquire(lock, mode);
  }

  template <class Predicate>
  void forget_if(const Predicate& is_stale)
    requires(bound == Bound::Lower)
  {
    lockset.forget_if(is_stale);
    history.forget_if(is_stale);
  }
};

template <LockName Name, Bound bound, Reentry reentry, NameRelation<Name> Relation = DistinctNames>
LockState<Name, bound, reentry> compose(const LockState<Name, bound, reentry>& before,
                                        const LockState<Name, bound, reentry>& then, const Relation& relation = {}) {
  return {compose(before.lockset, then.lockset, relation),
          compose(before.history, before.lockset, then.history, relation)};
}

template <LockName Name, Bound bound, Reentry reentry>
LockState<Name, bound, reentry> join(const LockState<Name, bound, reentry>& a,
                                     const LockState<Name, bound, reentry>& b) {
  return {join(a.lockset, b.lockset), join(a.history, b.history)};
}

/// At the head of a loop: what was known there, and what comes round. Ends every fixpoint.
template <LockName Name, Bound bound, Reentry reentry>
LockState<Name, bound, reentry> widen(const LockState<Name, bound, reentry>& known,
                                      const LockState<Name, bound, reentry>& next) {
  return {widen(known.lockset, next.lockset), widen(known.history, next.history)};
}

template <LockName Name, Bound bound, Reentry reentry>
bool leq(const LockState<Name, bound, reentry>& a, const LockState<Name, bound, reentry>& b) {
  return leq(a.lockset, b.lockset) && leq(a.history, b.history);
}

}  // namespace heddle::locks
