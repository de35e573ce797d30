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
  Sights sights;                     ///< unconfirmed: pairs that no replay reached
  ShareReport report;
};

/// Of one share, so many executions at most. `subject`: told which pair is looked for, while one is confirmed.
/// `known`: pairs that need not be shown again.
AllRaces find_all_races(Subject& subject, const ExhaustOptions& options, Share share, std::uint64_t executions,
                        std::vector<AccessPair> known);

}  // namespace heddle::explore
