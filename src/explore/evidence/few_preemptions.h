// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for a race in every execution with few preemptions, fewest first: most errors need only one or two switches
// away from a thread that could have gone on (Musuvathi and Qadeer, PLDI 2007), but those at the right places, which
// chance seldom meets.
//
//   bound 0   a thread runs until it waits or ends; each thread that can go on then follows in some execution
//   bound 1   and once it is interrupted, at each of its steps in some execution
//
// Each bound is tried with small input values and few threads. Never wrong about a race: what the clocks see is
// confirmed by a replay. Finding none says nothing.
#pragma once
#include "base/stop.h"
#include "explore/evidence/confirm.h"

namespace heddle::explore {

struct FewPreemptionsOptions {
  std::uint32_t most = 3;                   ///< preemptions
  std::uint64_t events = 120'000;           ///< of all searches for one input value together
  std::uint64_t instructions = 10'000'000;  ///< the same
  std::uint64_t events_in_execution = 150;
  Stop stop;
};

struct FewPreemptionsResult {
  std::optional<ConfirmedRace> race;
  std::uint64_t executions = 0;
};

FewPreemptionsResult find_with_few_preemptions(const Subject& subject, const FewPreemptionsOptions& options);

}  // namespace heddle::explore
