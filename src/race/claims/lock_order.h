// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockOrder: what a driver claims of the order in which a thread took its locks on the way to an access, from the start
// of the thread on (an acquisition history, CAV07 §4).
//
//   lock(a); lock(b); unlock(b); x = 3;      a is held, and b was taken since a was
//
// A claim holds on every way to the access that it is made of. `since`: the lock was taken, by somebody who did not
// hold it then, before all of these were (or before a moment at which they were held), and has been held ever since. A
// warning stands for several meetings (other callers, other threads), each with two claims of its own; locks have
// numbers that mean something within one meeting only, and `one_lock` says which of the first side and of the second
// are surely one lock.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace heddle::race {

struct ClaimedLock {
  std::uint32_t lock = 0;  ///< of its side
  bool is_shared = false;
};

/// A lock that is surely held at the access, and what was surely taken since it was.
struct HeldSince {
  ClaimedLock held;
  std::vector<ClaimedLock> since;
};

struct LockOrder {
  std::vector<std::string> names;  ///< by number, as reports print them
  std::vector<HeldSince> rows;
};

/// Two accesses that a driver could not keep apart, of those that a warning stands for.
struct Meeting {
  LockOrder first;
  LockOrder second;
  std::set<std::pair<std::uint32_t, std::uint32_t>> one_lock;  ///< a number of the first side, one of the second
};

/// All that a warning stands for.
struct Meetings {
  std::vector<Meeting> all;
  bool is_complete = false;           ///< false: there may be others
  std::set<std::string> assumptions;  ///< names from docs/assumptions.md that the claims rest on
};

}  // namespace heddle::race
