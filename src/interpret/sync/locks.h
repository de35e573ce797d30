// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the operations on synchronisation objects do to their rows, to the locks that a thread holds, and to the list of
// events. When they may be carried out is core/enabling.h: these here are called when they may.
//
//   lock m       row: owner 1, count 1;  thread 1 holds m;  event Acquire m
//   lock m       (recursive, again)      row: count 2;  no event, nobody else can tell
//   unlock m     (twice)                 row: free;  event Release m
//
// A misuse that real programs survive, such as unlocking a lock that another thread holds, leaves a note and goes on as
// glibc does.
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

/// Error numbers of Linux that the operations return.
constexpr int e_perm = 1, e_search = 3, e_again = 11, e_no_memory = 12, e_busy = 16, e_invalid = 22, e_deadlock = 35;

class Locks {
 public:
  explicit Locks(Core& core)
      : threads_(core.threads), syncs_(core.syncs), recorder_(core.recorder), account_(core.account) {}

  /// Of the running thread; an error number, 0: done. `is_try`: it does not wait, not even for a time.
  int acquire(Address lock, bool is_shared, bool is_try);
  int release(Address lock);
  /// The running thread begins to wait and gives the lock away, however often it holds it.
  void release_for_wait(Address lock);
  /// The end of a wait: the lock is free, and it is held again as often as before. Returns what the call returns.
  Slot wake();

  /// Once flags: 0 is new, 1 running, 2 done.
  [[nodiscard]] bool is_done(Address once) { return syncs_.at(once).count == 2; }
  void begin_once(Address once);
  void end_once(Address once, bool is_done);

  /// Forgets what the object was: it has no owner, nobody waits, and its count and limit are these.
  void reset(Address object, std::uint32_t count, std::uint32_t limit);

 private:
  Sync& changed(Address object);

  Threads& threads_;
  SyncTable& syncs_;
  Recorder& recorder_;
  Account& account_;
};

}  // namespace heddle::interpret
