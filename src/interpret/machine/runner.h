// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a program from start to end under a simple scheduler. Not a search: for agreement tests, for `heddle run`,
// and as the smallest example of how to drive a Machine.
#pragma once
#include "interpret/machine/machine.h"

namespace heddle::interpret {

enum class Scheduler : std::uint8_t {
  FirstEnabled,  ///< the lowest thread that can run
  RoundRobin,    ///< the next one after the thread that ran last
  Random,        ///< by the seed: the same seed, the same run
};

/// Steps until the run ends; `budget` bounds a single step, so that one spinning thread cannot hold up the others.
const RunOutcome& run_to_completion(Machine& machine, Scheduler scheduler = Scheduler::RoundRobin,
                                    std::uint64_t seed = 1, std::uint64_t budget = 10'000'000);

}  // namespace heddle::interpret
