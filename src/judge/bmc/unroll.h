// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unroll: a program as an Execution, for a solver. Threads are executed with values that are not known, ways that part
// and meet again are merged, loops and calls of themselves go so many rounds. Bit-precise; what cannot be said so
// throws NoEncoding, for nothing is guessed.
//
//   while (i < n) i++;         2 rounds     i' = i < n ? (i + 1 < n ? i + 2 : i + 1) : i, and the way of a third is cut
//
// A loop whose end does not depend on anything unknown goes its rounds whatever the bound is.
//
// Memory that only one thread accesses is part of that thread's state; an access to other memory is an event. Which is
// which, and where a pointer that is read may lead, is found by unrolling until the shape does not grow any more. What
// main does before it starts somebody is the initial state.
//
// After CBMC's unrolling (Clarke, Kroening, Lerda, TACAS04) and Alglave, Kroening, Tautschnig, "Partial orders for
// efficient bounded model checking of concurrent software", CAV13.
#pragma once
#include <cstdint>
#include <map>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "judge/bmc/execution.h"
#include "judge/circuit/circuit.h"
#include "program/model/program.h"

namespace heddle::judge::bmc {

/// Ways that go beyond a limit are cut there, but for gates and for instructions.
struct UnrollOptions {
  std::uint32_t rounds = 1;
  std::uint64_t most_instructions = 200'000;
  std::uint64_t most_gates = 5'000'000;
  std::uint64_t most_touches = 5'000;
  std::uint64_t most_points = 600;
  std::uint64_t most_points_of_thread = 60;
  std::uint32_t most_threads = 24;
  Stop stop;
};

struct Unrolled {
  Circuit circuit;
  Execution execution;
  std::map<Cell, Word> initial;  ///< of the cells that events touch
};

Unrolled unroll(const Program& program, const api::ApiModels& models, FunctionId main, const UnrollOptions& options);

}  // namespace heddle::judge::bmc
