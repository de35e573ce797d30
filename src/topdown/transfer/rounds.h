// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds: which thread roots are analysed, and until when.
//
// Main runs from its constructors to what is registered for the end; every thread it starts, and every thread those
// start, runs from the join of its arguments. Threads see each other only through what all of them add to:
// SharedMemory, the arguments and phases of threads, the kinds of locks. So rounds over all threads are repeated until
// a whole round adds nothing; then one more round records. Recording looks at more than the rounds before it, and may
// find one more change: then what it saw does not count, and the rounds go on.
#pragma once
#include "topdown/actions/thread_actions.h"
#include "topdown/transfer/block_fixpoint.h"
#include "topdown/transfer/program_end.h"

namespace heddle::topdown {

class Rounds {
 public:
  Rounds(ThreadId main, SharedMemory& shared, Memory& memory, Recorder& recorder, const ThreadActions& threads,
         const ThreadPhase& phase, const FlowFacts& flow, Disjuncts& disjuncts, BlockFixpoint& blocks,
         ProgramEnd& ending, bool& changed)
      : d(memory.d),
        u(memory.u),
        main_(main),
        shared_(shared),
        memory_(memory),
        recorder_(recorder),
        threads_(threads),
        phase_(phase),
        flow_(flow),
        disjuncts_(disjuncts),
        blocks_(blocks),
        ending_(ending),
        changed_(changed) {}

  /// False: a budget ran out.
  bool run();

 private:
  void run_until_stable();
  void round(bool is_final);
  [[nodiscard]] bool is_stable() const {
    return !changed_ && !shared_.changed() && !memory_.changed() && !blocks_.changed();
  }
  void run_thread(ThreadId thread);
  [[nodiscard]] States after_constructors(const State& s);
  void run_after(ThreadId thread, State s);
  State entry_state(ThreadId thread);

  const Domain& d;
  Universe& u;
  ThreadId main_;
  SharedMemory& shared_;
  Memory& memory_;
  Recorder& recorder_;
  const ThreadActions& threads_;
  const ThreadPhase& phase_;
  const FlowFacts& flow_;
  Disjuncts& disjuncts_;
  BlockFixpoint& blocks_;
  ProgramEnd& ending_;
  bool& changed_;
};

}  // namespace heddle::topdown
