// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Race freedom by looking at every state. A search through executions (evidence/exhaust.h) goes through a state as
// often as there are ways to it, and threads that wait for each other by looking make too many ways; this one goes on
// from each state once.
//
//   T1: while (xchg(&l, 1)); x++; l = 0;     T2: the same.     a few dozen states, however often they look
//
// A step is a visible operation with the plain accesses behind it, up to the next visible operation. A state is what
// the executor calls one, and for each thread the *tail* of its latest step: the bytes that its plain accesses touched.
// A step that conflicts with another thread's tail is a race: that thread has done nothing since that could have put
// its accesses in front of anything. A thread's tail is empty again when somebody has joined it.
//
// Why every race is seen. Take an execution up to its first race: both threads stand before accesses a and b that
// conflict, and everything before is ordered by visible operations. Let each thread that stands between two of them
// finish the plain accesses up to the next. Up to the first race these commute with what others do, so the steps of
// that execution, in the order of their visible operations, are steps of this search, and it visits the states between
// them. Of the last steps of the two threads let the one with a come first: since then its thread made no step, so a is
// in its tail when the other makes the step with b, or b's operation itself. Where an operation and not a tail is the
// first of the two, take the other order: both were enabled. Not so where an atomic section itself lets the other
// thread go on (it creates it, unlocks, posts): what the section touches behind that stays in its thread's tail.
//
// A call that touches memory before it waits (a model of the user's may say so) is not such a step, and proves nothing.
//
// That needs each thing a thread learns of another one to be in order behind it, and every run to be an interleaving:
// sequentially consistent atomics, locks and the like, not weaker atomics (MemoryOrders::SequentiallyConsistent). A try
// that fails and a wait that ends order nothing, and tell nothing either: both may do so without a reason. So may an
// attempt to join a thread that has ended: that it has not ended yet would tell that it stands in its last step.
//
// Inputs. A call for a number that nothing decides is a step with an outcome for each value that stands for others
// (explore/inputs/), and begins no new tail. Nobody else feels it, so of a state in which a thread stands before one no
// other step is looked at, unless all that follows has been seen: threads that only ask for inputs would keep the
// others from everything. All other inputs are not known, and nothing may depend on them.
//
// Cost: the number of states times what the digest of one costs.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include "base/stop.h"
#include "explore/executor/subject.h"
#include "race/proof.h"

namespace heddle::explore {

struct StateSearchOptions {
  std::uint64_t states = 3'000'000;
  std::uint64_t work = 8'000'000'000;  ///< bytes of states looked at, and a few for each instruction
  std::uint64_t deepest = 20'000;      ///< steps of one execution
  Stop stop;
};

struct StateSearchResult {
  std::optional<race::Proof> proof;
  std::string why;  ///< there is none because
  std::uint64_t states = 0;
};

StateSearchResult prove_by_states(const Subject& subject, const StateSearchOptions& options);

}  // namespace heddle::explore
