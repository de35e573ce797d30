// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wakeup trees of optimal DPOR (Abdulla, Aronsson, Jonsson, Sagonas: "Optimal Dynamic Partial Order Reduction", POPL
// 2014, section 6): the sequences still to be run from a state, ordered, so that no two of them lead to the same trace
// and none ends in a state where only sleeping threads could go on.
#pragma once
#include <vector>

#include "explore/executor/executor.h"

namespace heddle::explore {

/// Events of a path that another one runs, in order; who lends them must keep them.
using Sequence = std::vector<const Event*>;

struct WakeupTree {
  struct Branch;
  std::vector<Branch> branches;  ///< in the order they will be run

  [[nodiscard]] bool empty() const { return branches.empty(); }
  /// One of the tree leads to the sequence, whose last event stands for any outcome.
  [[nodiscard]] bool covers(Sequence sequence) const { return descend(sequence) == nullptr; }
  /// Adds a sequence, its last event with any outcome, unless the tree covers it.
  void insert(Sequence sequence);
  /// Drops the front branch and brings another outcome of the same thread's choice to the front.
  void turn_to(ThreadIndex thread, std::uint32_t choice);

 private:
  /// Follows the branches that lead on and leaves what is not done then; null: covered.
  [[nodiscard]] const WakeupTree* descend(Sequence& sequence) const;
};

struct WakeupTree::Branch {
  Event event;
  WakeupTree rest;
};

/// Whether `event`'s thread may go first in an execution that later does all of `sequence`: it is in the sequence and
/// depends on nothing in front of it there, or it is not and depends on nothing in it (a weak initial).
bool is_weak_initial(const Event& event, const Sequence& sequence);

/// Position of the thread's first event if nothing in front depends on it; the sequence's size otherwise.
std::size_t initial_position(ThreadIndex thread, const Sequence& sequence);

}  // namespace heddle::explore
