// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the graphs that the program makes to those that are looked at. Each step keeps the executions:
//
//   what no guard depends on goes; points are told apart by constants (reduce_threads.h); a point that is only passed,
//   without others noticing, is no point; the points at which every cycle of a thread is seen are marked; values that
//   are never wanted at once have one slot
#pragma once
#include <set>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

/// The shared variables that a guard depends on, in this thread or, by what others write there, in another; and those
/// in which the address of an access lies.
[[nodiscard]] std::set<VariableIndex> wanted_shared(const Model& model);
void drop_variables(Model& model);
/// Points at which every cycle is seen.
void mark_loops(Thread& thread);
/// Values that are never wanted at once have one slot.
void share_slots(Model& model);
/// The same of one thread; how many there are.
std::uint32_t share_slots(const Model& model, Thread& thread);
/// Where widening stops.
void find_thresholds(Model& model);
/// Smaller graphs. `counts`: loops are taken apart by numbers that count, if that is not too much.
void reduce(Model& model, bool counts);
/// What has been reduced becomes what is looked at: loops, slots, thresholds.
void number(Model& model);
void finish(Model& model, bool counts);

/// Others can notice it, or it depends on them.
[[nodiscard]] bool is_noticed(const Model& model, const Act& act);

}  // namespace heddle::judge::transaction
