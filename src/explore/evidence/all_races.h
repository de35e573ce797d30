// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The racing pairs of a program's accesses, where a search for one would end at the first: all executions are looked
// at, or with pruning all that may have a race, and each pair that clocks see is confirmed by a replay of its own.
// Clocks remember of a byte who wrote it last: of `x = 1` beside `x = 2; x = 3` the pair with the nearer write is told,
// and the other one only if some execution brings them together. A variable that races is never left out.
//
// A pair that lies behind another race is one of executions in which that race went one way; it is real all the same,
// for the replay shows both threads at their accesses.
#pragma once
#include <string>
#include <vector>

#include "explore/evidence/exhaust.h"

namespace heddle::explore {

struct AllRaces {
  std::vector<ConfirmedRace> races;  ///< in the order in which they were met, each pair once
  std::uint64_t unconfirmed = 0;     ///< pairs that no replay reached
  PruneStatistics statistics;
  bool is_complete = false;  ///< the search ended, and there was nothing that it could not see
};

/// `subject`: told which pair is looked for, while one is confirmed.
AllRaces find_all_races(Subject& subject, const ExhaustOptions& options);

}  // namespace heddle::explore
