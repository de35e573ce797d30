// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries to bring two threads to two given accesses at once (after RaceFuzzer: Sen, PLDI 2008). A thread that comes to
// one of them is held there, and the others run; those first of which it is known that they come to the other one.
//
//   T1: x = 1; lock m; unlock m         T2: lock m; unlock m; x = 2
//   held before x = 1                   runs, and stands before x = 2: the same bytes, one of them writes
//
// A thread is let go when nobody else can run, or when the others have run for long without an arrival: they may wait
// for it. What is reached so is made again at the grain of accesses and replayed; only then it is returned.
//
// Never wrong about a race. Not getting there says nothing. Cost: a few executions, each bounded.
#pragma once
#include <optional>
#include <set>

#include "base/stop.h"
#include "explore/evidence/confirm.h"

namespace heddle::explore {

struct ApproachOptions {
  std::uint64_t budget = 5'000'000;   ///< instructions of all tries
  std::uint64_t longest = 2'000'000;  ///< of one try
  std::uint32_t tries = 6;            ///< each under another scheduler
  std::uint64_t step_cost = 40;       ///< instructions that a step is worth
  std::uint64_t seed = 1;
  std::set<ThreadIndex> first_makers;  ///< threads that made the first access in other runs
  std::set<ThreadIndex> second_makers;
  Stop stop;
};

struct ApproachResult {
  std::optional<ConfirmedRace> race;
  std::uint64_t cost = 0;
};

ApproachResult approach(const Subject& subject, const AccessPair& pair, const ApproachOptions& options);

}  // namespace heddle::explore
