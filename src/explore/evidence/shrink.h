// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A schedule with fewer switches and fewer steps that leads to the same race.
//
//   run 0 5, run 1 2, run 2 4, run 1 3, run 2 1, race 1 2     four switches
//   run 0 5, run 1 5, run 2 5, race 1 2                       two: both slices of thread 1 could be joined, those of 2
//   as
//                                                             well
//
// Slices are left out, and moved to the next or the previous one of their thread, for as long as that helps. A change
// is kept if its replay ends with the same two accesses, so nothing here has to be trusted. Costs a replay for every
// try; `limits` says how much that may be.
#pragma once
#include "base/stop.h"
#include "explore/evidence/confirm.h"

namespace heddle::explore {

struct ShrinkLimits {
  std::uint32_t tries = 200;
  std::uint64_t steps = 2'000'000;  ///< of all tries together
  Stop stop = {};
};

/// The race of `found`, by a schedule that is no longer than before.
ConfirmedRace shrink(const Subject& subject, ConfirmedRace found, const ShrinkLimits& limits);

/// The schedule as a process that begins anew can follow it: threads are numbered in the order of their creation (an
/// executor may have kept numbers of earlier executions), and its slices are marked with what they did.
race::Schedule portable(const ConfirmedRace& found);

}  // namespace heddle::explore
