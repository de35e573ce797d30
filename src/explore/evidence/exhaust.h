// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Race freedom by looking at everything: optimal DPOR over the visible operations of a closed program, vector clocks on
// each of its traces.
//
//   T1: lock m; x++; unlock m     T2: lock m; x++; unlock m        two traces, no race in either: proved
//   T1: lock m; x++; unlock m     T2: if (input()) x++;            "an input value was chosen": no proof
//
// A proof needs all of: the program has no open ends (Subject::open_ends: input, time, addresses as numbers, …), the
// search ended within its budgets, and the executor has no gap: no thread was left out, no execution cut, no undefined
// behaviour, no misused lock and no unclear pair met. Otherwise the answer says what is missing. Threads that spin are
// stopped (search/spin.h has why nothing is missed); threads are numbered alike on every schedule.
//
// Why that is enough. As long as there is no race, plain accesses are ordered by visible operations. So every execution
// up to its first race is, in some order of its steps, the beginning of one of the traces that the search visits; and
// where two conflicting accesses are enabled at once, no visible operation lies between them, so the clocks of that
// trace see them unordered. The executor's semantics is the weakest one (waits end without a signal, tries fail without
// a reason), so the real program does nothing that the search does not. Programs with sequentially consistent atomics
// only and without a race behave as if operations were interleaved, on every machine.
//
// So do programs whose atomic accesses, of whatever order, all go to one object, if clocks of those orders
// (MemoryOrders::Guaranteed) see no race either. Number the writes to the object in their modification order, and give
// each read the number of what it reads. By the rules of coherence the numbers never fall along happens-before, and
// they rise along every other edge of the object (a read behind its write, a write behind reads of earlier ones); plain
// accesses without a race communicate along happens-before only. So there is no cycle, and the execution is an
// interleaving. docs/decisions/0011-memory-orders.md has the argument; with two objects it fails (store buffering).
//
// What it rests on is named: Subject::assumptions. Cost: the number of traces times the square of their length; budgets
// count events, instructions and that work, and are smaller once no proof can come of it any more.
#pragma once
#include <optional>
#include <string>

#include "base/stop.h"
#include "explore/clocks/race_detector.h"
#include "explore/evidence/confirm.h"
#include "explore/search/share.h"
#include "explore/shares/sights.h"
#include "race/proof.h"

namespace heddle::explore {

struct ExhaustOptions {
  std::uint64_t instruction_budget = 30'000'000;
  std::uint64_t event_budget = 400'000;
  std::uint64_t work = 30'000'000;         ///< pairs of events compared, about: long executions cost their square
  std::uint64_t work_with_gaps = 300'000;  ///< once no proof can come of it any more
  std::uint64_t longest = ExecutionLimits{}.events;  ///< operations of one execution; one that is cut proves nothing
  Stop stop;
  std::uint64_t unconfirmed_races = 20;  ///< before the search gives up: they need a spurious wake-up, say
  /// Leaves out what cannot have a race (prune/pruned_search.h), on another search. Nothing is learnt then of
  /// deadlocks, failed assertions and undefined behaviour of what is left out.
  bool prune = false;
};

struct ExhaustResult {
  std::optional<race::Proof> proof;  ///< only a search that saw everything makes one
  std::optional<ConfirmedRace> race;
  std::string why;             ///< neither: what is missing
  bool is_unfinished = false;  ///< and what was missing is no gap for a search through states
  SearchStatistics statistics;
  PruneStatistics pruning;  ///< if it was asked for
  SharedCounts counts;      ///< of the first execution
};

ExhaustResult prove_by_exhaustion(const Subject& subject, const ExhaustOptions& options);

/// Both accesses, one behind the other, of the execution that was just run.
std::string describe_pair(Words& words, const DetectedRace& race);

/// A part of it: one share, and so many executions at most.
struct ExhaustPart {
  Sights sights;
  std::optional<ConfirmedRace> race;
  ShareReport report;
};
ExhaustPart exhaust_share(const Subject& subject, const ExhaustOptions& options, Share share, std::uint64_t executions);

/// What the sights of all parts come to. `is_whole`: no share is left.
ExhaustResult conclude(Sights sights, bool is_whole, std::set<std::string> assumptions);

}  // namespace heddle::explore
