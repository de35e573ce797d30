// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for one real race, cheapest means first: a few runs with switches at synchronisation only, under different
// schedulers, input values and numbers of threads, watched by vector clocks; then longer ones. What the clocks see is
// driven to the state in which both accesses are enabled, shrunk, and replayed: only then it is returned.
//
//   find_race(subject, {})  ->  schedule "run 0 9, run 1 2, run 2 2, race 1 2", both accesses with stacks
//
// Never wrong about a race. Not finding one says nothing. The budget counts instructions that ran, so the answer is
// the same on every machine.
#pragma once
#include <optional>

#include "base/stop.h"
#include "explore/evidence/confirm.h"
#include "explore/evidence/finding.h"

namespace heddle::explore {

struct FindOptions {
  std::uint64_t instruction_budget = 120'000'000;
  std::uint64_t step_cost = 40;  ///< instructions a step is worth: switching costs too
  std::uint64_t thread_cost = 300;
  std::uint64_t looks_a_cost = 8;    ///< threads looked at to choose one, for an instruction
  std::uint64_t bytes_a_cost = 256;  ///< bytes of clocks and shadow memory, for an instruction
  std::uint64_t confirm_cost = 10;   ///< times the run, for a pair that no replay reached
  std::uint64_t seed = 1;
  std::uint64_t length = 1;       ///< times the usual, of each run: what runs natively may take longer
  std::uint64_t fewest_runs = 0;  ///< whatever they cost
  Stop stop;
};

struct FindStatistics {
  std::uint64_t runs = 0;
  std::uint64_t instructions = 0;
  std::uint64_t unconfirmed = 0;  ///< pairs that clocks saw and no replay reached
  std::size_t most_threads = 0;
  std::string obstacle;  ///< what kept runs from going on, if anything: "calls 'fork', which …"
};

struct FindResult {
  std::optional<ConfirmedRace> race;
  Findings findings;  ///< what else was met
  FindStatistics statistics;
};

FindResult find_race(const Subject& subject, const FindOptions& options);

}  // namespace heddle::explore
