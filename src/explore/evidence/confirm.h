// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a race that vector clocks saw to the state in which both accesses are enabled (DETECTRACE of ATVA08).
//
//   the run       T1: lock m   T1: x = 1   T1: unlock m   T2: y = 5   T3: z++   T2: x = 2
//   needed        T1: lock m   T2: y = 5                        what happens before either access, and nothing else
//   the schedule  run T1 1, run T2 1, race T1 T2                both stand before their accesses to x
//
// The run showed accesses A and B in some order with nothing that orders them. Whatever happens before either of them
// is run again, and nothing else; the threads are then stopped right in front of A and B. What is left is reordered so
// that a thread runs as long as it can: few context switches. If that fails, the order of the run is tried, then all of
// its steps: what a failed try saw, say, is no order for the clocks. The schedule is then replayed from the start, and
// only what the replay confirms is returned (replay.h), so nothing here has to be trusted. Nothing: the order the
// clocks know is not all there is (a wake-up, say), and the pair stays unconfirmed.
//
// A pair that only the memory orders of the program leave without an order need not be enabled at once anywhere. What
// the second access needs is run again, up to that access, with clocks; the replay does the same.
//
// The run is switched at synchronisation, the schedule at accesses: a step of the run is made again as so many steps as
// bring its thread equally far (Executor::progress), and an access is recognised by its AccessKey and its bytes.
// Threads may have other numbers in the second execution: they are matched by creator and ordinal, and inputs go with
// them.
//
// Cost: at most three executions and as many replays; reordering looks at all pairs of steps, so long runs are not
// reordered.
#pragma once
#include <optional>

#include "explore/evidence/replay.h"
#include "explore/search/course.h"
#include "explore/search/run.h"

namespace heddle::explore {

struct ConfirmedRace {
  race::Schedule schedule;
  ReplayedRace race;
};

/// The steps of a run that is over, as far as `thread` needs them (no_thread: all), with that thread's next step or
/// steps up to the one that ends the program or misuses a lock. Nothing: they could not be made again.
std::optional<race::Schedule> schedule_to(const Subject& subject, Run& run, ThreadIndex thread);

/// The race that the run found: at once if that can be, else by order. Nothing: there is none, or it could not be shown
/// again.
std::optional<ConfirmedRace> confirm(const Subject& subject, Run& run);

/// Runs the path of a search again with a log, and drives it to its race. `limits`: those of the course's executor.
std::optional<ConfirmedRace> confirm_path(const Subject& subject, const Course& course, const ExecutionLimits& limits);

}  // namespace heddle::explore
