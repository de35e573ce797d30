// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints: which executions of an Execution there are, and in which two threads stand before racing accesses. Of
// an execution the beginning counts: each thread got behind so many of its points and no further.
//
//   a read reads from one write to its cell, or the initial value; no other write comes between
//   who got behind a point got behind all before it, had what that waited for, and was started
//   a race     both threads did all that comes before the two accesses and nothing behind, and their cells are the same
//
// That the two are next is all: nothing has to be said of their order. An access in an atomic section is next if the
// whole section can be made now: it is made, and nobody sees anything of it.
//
// Cost: for each cell the reads times the writes, times the writes again for what comes between.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "judge/bmc/unroll.h"
#include "smt/sat.h"

namespace heddle::judge::bmc {

/// An execution up to a race.
struct Witness {
  struct Step {
    ThreadNumber thread = 0;
    PointNumber point = 0;
    std::vector<EventNumber> events;  ///< that take place
  };
  std::vector<Step> steps;  ///< in an order in which they can be made
  EventNumber first = 0, second = 0;
  struct Value {
    std::uint64_t value = 0;
    std::size_t bits = 0;
  };
  std::vector<std::vector<Value>> values;     ///< of each thread, that it asks for
  std::map<EventNumber, ThreadNumber> woken;  ///< by signals
};

struct RaceLimits {
  std::uint64_t conflicts = 200'000;
  std::uint64_t clauses = 4'000'000;
  std::uint64_t effort = 1'000'000'000;  ///< conflicts times clauses
  std::uint32_t witnesses = 8;           ///< that are shown
  Stop stop;
};

struct Looked {
  smt::Answer answer = smt::Answer::Unknown;
  std::uint64_t clauses = 0;  ///< of the question
};

/// Shows a race in some execution, and another pair of accesses as long as `is_enough` says no. Unsat: there is no
/// other; Unknown: a limit came first.
Looked find_races_in(Unrolled& unrolled, const RaceLimits& limits,
                     const std::function<bool(const Witness&)>& is_enough);

}  // namespace heddle::judge::bmc
