// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Movers: steps that can be done later or earlier without others noticing (Lipton 1975), so that a row of them is one
// step.
//
//   lock(m); if (state == 0) state = 1; unlock(m);      one step, if `state` is only touched under m
//
// Taking a lock can be put off until the thread needs it (a right mover), giving one back can come at once (a left
// mover), and what is only touched under a lock that is held moves both ways. A row of right movers, at most one step
// that is no mover, and left movers is done at once: of an execution in which two threads stand before their accesses,
// what the others began and did not get through is left out, or brought to its end; neither changes where these two
// are. So points between such steps go; points before an access that is asked for stay.
#pragma once
#include <set>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Locks that, as far as the ways of a thread tell, it may take while it holds them, or give back while it does not.
/// Nothing can be said of what they keep apart before somebody has looked whether these ways exist.
[[nodiscard]] std::set<LockIndex> unruly_locks(const Model& model);

/// In all threads of a model without unruly locks, whose loops need not be marked yet.
void join_movers(Model& model);

}  // namespace heddle::judge::transaction
