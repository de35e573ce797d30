// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges that say the same in fewer acts, so that more of them are equal.
//
//   take m; r := n; [r = 0]; n := 1; give m         take m; [n = 0]; n := 1; give m
//   r := ?; [r = 3]; give m                         give m
//   p -[take m; [n != 0]; give m]-> p               none: who waits stays where it is
//
// A guard that goes lets more executions pass; the others stay as they are.
#pragma once
#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Of a model that is not finished. `are_ruly`: it has no unruly locks (movers.h).
void tidy_edges(const Model& model, Thread& thread, bool are_ruly);

}  // namespace heddle::judge::transaction
