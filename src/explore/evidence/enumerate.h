// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a systematic search sees of a program, for tests and measurements: it decides nothing.
//
//   enumerate(subject, {.kind = SearchKind::Optimal}).traces     1680 for three threads that each lock, count and
//   unlock
//                                                                three times
//
// Traces are compared by their fingerprints; `digest` names the set of them, so two searches saw the same traces
// exactly when their digests are equal. At the grain of synchronisation that is promised for programs without races
// only: what follows a race may depend on the order of its accesses. At the grain of accesses it is promised for all.
#pragma once
#include <array>
#include <optional>
#include <set>
#include <string>

#include "base/content_hash.h"
#include "explore/executor/subject.h"
#include "explore/prune/pruned_search.h"
#include "explore/shares/shared_counts.h"

namespace heddle::explore {

struct EnumerateOptions {
  SearchKind kind = SearchKind::Optimal;
  std::optional<bool> prune;  ///< the search of prune/pruned_search.h in place of `kind`: with or without pruning
  bool at_accesses = false;
  bool weakest = false;  ///< waits may end without a signal, try-locks of a free lock fail; endless as a rule
  bool look_for_races = true;
  bool until_race = false;                   ///< ends at the first one
  std::optional<std::uint32_t> preemptions;  ///< Exhaustive only: at most so many; what that leaves out becomes a gap
  std::uint64_t event_budget = 400'000;
};

struct Enumeration {
  SearchStatistics statistics;
  PruneStatistics pruning;
  SharedCounts counts;                           ///< of the first execution
  std::uint64_t traces = 0;                      ///< different ones
  ContentHash digest;                            ///< of the set of traces
  bool had_choices = false;                      ///< an operation had several outcomes: Optimal may be blocked then
  std::uint64_t deadlocks = 0;                   ///< traces at whose end everybody waits
  std::uint64_t livelocks = 0;                   ///< traces at whose end only threads that spin for ever are left
  std::optional<std::array<AccessKey, 2>> race;  ///< by vector clocks, the first in order of the search
  std::optional<std::array<AccessKey, 2>> weak_race;  ///< the same with the memory orders of the program
  bool adjacent = false;                              ///< at accesses: two threads stood before racing accesses
  std::set<std::string> gaps;                         ///< why this is not all the program can do
  std::uint64_t instructions = 0;                     ///< repetitions included
};

Enumeration enumerate(const Subject& subject, const EnumerateOptions& options);

}  // namespace heddle::explore
