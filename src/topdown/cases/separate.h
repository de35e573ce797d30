// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps two guarded accesses apart. Every static proof of `verify` is a list of these answers, one per pair of
// accesses to one object, so each has to hold in every execution:
//
//   both-read, both-atomic    no race by the language's definition
//   other-bytes               [low, high] with stride and size of the two targets never overlap: targets contain every
//                             address the access may have, so what they do not contain is never touched
//   same-thread               one thread that exists once makes both: program order
//   not-created-yet           one happens before any creation of the other's thread: `created` is what the thread of
//                             the first has possibly created, on every path there
//   already-joined            one happens after a join of the other's thread: `joined` holds on every path there
//   common-lock               both surely hold one lock, not both as readers. Locks are compared in terms that mean the
//                             same in both threads: one concrete lock (Exact), the lock at a fixed distance from the
//                             data (Relative: if the two touch a common byte they begin at the same one, so they mean
//                             the same lock), one lock of an array whose index also decides the data (Indexed), an
//                             address that all threads read from memory nobody changes any more (Frozen). A semaphore
//                             that somebody posts without having waited is no lock: false_locks has those.
//   barrier                   two threads of one team, which all wait at the same barriers: another one was the last
//   flag-between              one knows, under a lock, that a variable does not hold any of the numbers that are stored
//   in
//                             it while several threads run; the other has seen one of them there, under a lock. All
//                             stores are made under one lock, so the variable is as it was until the first has given
//                             that back, and once it holds one of these numbers it always does: the first comes before
//                             the store, by the lock, and the store before the second
//   own-share                 two threads of one team, of which each has numbers of its own (its turns of a loop): the
//                             addresses differ as these do, or only one number leads there
//   own-ticket                every write of a counter adds to it, and nobody else writes between reading and adding:
//                             no two threads are dealt the same number, and the addresses differ as these do
//   apart-in-memory           the highest address of one lies below the lowest of the other, as linear forms over
//                             numbers that are the same in every thread
//   own-chunk, own-object     two instances of one thread whose arguments lie a fixed step apart (or are fresh
//                             objects): what each touches, seen from its argument, is shorter than the step
//   slot-of-next              the creator fills the slot of an instance that it has not started yet
//
// The order is from cheap to dear and does not change the set of warnings. Two instances of a thread count as a pair,
// so an access is also compared with itself.
#pragma once
#include <optional>

#include "race/separation.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

/// The access without what no answer depends on: where in the program it is made, and by which form its address is
/// given. Accesses that have the same of these are apart from the same others.
GuardedAccess circumstances_of(const GuardedAccess& access);

/// Whether a lock of one access and one of the other are surely one lock, if the two accesses meet at one byte.
bool must_be_one_lock(const TopDownResult& result, const GuardedAccess& a, const HeldLock& x, const GuardedAccess& b,
                      const HeldLock& y);

/// None: nothing separates them. Both must be accesses to the same object.
std::optional<race::SeparationReason> separate(const TopDownResult& result, const GuardedAccess& a,
                                               const GuardedAccess& b);

}  // namespace heddle::topdown
