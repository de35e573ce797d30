// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Smaller graphs of threads with the same executions, as far as others can tell.
//
//   split_by_constants    a point is as many as there are constants that its values can have there: what was decided
//                         once (`found = 1`, the number of an element) is not forgotten where ways meet
//   drop_idle_ends        what comes behind the last step that others notice: waiting for threads, ends that nobody
//   waits
//                         for; a thread that does nothing of that kind
//   skip_silent_points    points from which all ways lead to one other without doing anything are that one; what nobody
//                         comes to goes: what slices leave of long threads
//   drop_silent_steps     a step that does nothing is none: who can take it is there already
//   merge_equal_points    points from which the same can be done are one
#pragma once
#include <vector>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// Values of the thread's own, that is; those that need too many points stay as they are. `counts`: also those that are
/// made of themselves, which takes loops apart.
void split_by_constants(Model& model, bool counts);
/// Of main alone, and also those.
void split_main_by_constants(Model& model);
void drop_idle_ends(Model& model);
void skip_silent_points(Thread& thread);
void drop_silent_steps(Thread& thread);
void merge_equal_points(Thread& thread);

/// Threads that are started at several places, or at one that is come to again.
[[nodiscard]] std::vector<bool> started_again(const Model& model);

}  // namespace heddle::judge::transaction
