// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a race that vector clocks saw to the state in which both accesses are enabled (DETECTRACE of ATVA08).
//
// The run showed accesses A and B in some order with nothing that orders them. Whatever happens before either of them
// is run again, and nothing else; the threads are then stopped right in front of A and B. What is left is reordered so
// that a thread runs as long as it can: few context switches. The schedule is then replayed from the start, and only
// what the replay confirms is returned. Nothing: the order the clocks know is not all there is (a wake-up, say), and
// the pair stays unconfirmed.
#pragma once
#include <optional>

#include "explore/evidence/replay.h"
#include "explore/interpreted/machine_executor.h"
#include "explore/search/run.h"

namespace heddle::explore {

struct ConfirmedRace {
  Schedule schedule;
  ReplayedRace race;
};

/// The steps of a run that is over, as far as `thread` needs them (no_thread: all), with that thread's next step or
/// steps up to the one that ends the program or misuses a lock. Nothing: they could not be made again.
std::optional<Schedule> schedule_to(const Program& program, const api::ApiModels& models, Run& run,
                                    interpret::ThreadIndex thread);

/// The run must have kept its log and found a race.
std::optional<ConfirmedRace> confirm(const Program& program, const api::ApiModels& models, Run& run);

/// Runs the path of an executor again with a log, and drives it to its race.
std::optional<ConfirmedRace> confirm_path(const Program& program, const api::ApiModels& models,
                                          const MachineExecutor& executor);

}  // namespace heddle::explore
