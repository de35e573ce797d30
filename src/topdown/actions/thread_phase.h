// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ThreadPhase: which threads have surely ended.
//
//   pthread_join(a, 0);     joined = {a}, and what a had joined when it ended
//   return in thread a      joined_at_exit(a) = what is joined there, on every path to an end of a
//
// When everything main started has ended, main is alone again and shared memory is its own. Sound because `joined` only
// holds what was joined on every path (merging intersects), and because starting a thread again takes it and everything
// it may start out of `joined`.
#pragma once
#include "topdown/actions/held_locks.h"
#include "topdown/record/instance_ledger.h"

namespace heddle::topdown {

class ThreadPhase {
 public:
  ThreadPhase(InstanceLedger& ledger, const HeldLocks& held, const LockKinds& kinds, Universe& universe, ThreadId main,
              bool& changed)
      : u(universe), ledger_(ledger), held_(held), kinds_(kinds), main_(main), changed_(changed) {}

  /// One thread of which there is one at a time was joined.
  void note_joined(State& s, ThreadId ended) const;
  /// Threads of which every instance has been joined by now.
  void complete_joins(State& s) const;
  /// `s` is a state in which the thread ends.
  void note_thread_end(ThreadId thread, const State& s) const;
  [[nodiscard]] ThreadId main() const { return main_; }
  [[nodiscard]] bool is_main(ThreadId thread) const { return thread == main_; }

 private:
  void take_over_joins(State& s, ThreadId ended) const;
  void update_parallel(State& s) const;

  Universe& u;
  InstanceLedger& ledger_;
  const HeldLocks& held_;
  const LockKinds& kinds_;
  ThreadId main_;
  bool& changed_;
};

}  // namespace heddle::topdown
