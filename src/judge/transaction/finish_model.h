// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last steps of a model, each of which keeps its executions:
//
//   drop_variables      what no guard depends on goes
//   join_points         a point that is only passed, without others noticing, is no point
//   mark_loops          the points at which every cycle of a thread is seen
//   share_slots         values that are never wanted at once have one slot
#pragma once
#include <set>

#include "judge/transaction/model.h"

namespace heddle::judge::transaction {

/// The shared variables that a guard depends on, in this thread or, by what others write there, in another; and those
/// in which the address of an access lies.
[[nodiscard]] std::set<VariableIndex> wanted_shared(const Model& model);
void drop_variables(Model& model);
void join_points(const Model& model, Thread& thread);
void mark_loops(Thread& thread);
void share_slots(Model& model);

/// Others can notice it, or it depends on them.
[[nodiscard]] bool is_noticed(const Model& model, const Act& act);

}  // namespace heddle::judge::transaction
