// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs of accesses that nothing separates (RELAY §3.4), without comparing all with all. Accesses meet in a *bucket*: a
// member of a struct, a global, a path from a global. Within a bucket, accesses with the same mode, locks and threads
// are one group, and groups are compared; a racing pair of groups gives the pairs of its program locations.
//
//   struct conn.state    group 1: write, {conn.lock}, workers      12 locations
//                        group 2: read, {}, listener                1 location
//                        ->  12 warnings: locations 1 to 12 against 13
//
// Plain numbers and characters behind pointers meet by their class of pointers. Assumptions: `typed-memory` (memory is
// used by its type, so accesses that can meet have one key), `small-classes` (a class of very many pointers says
// nothing).
#pragma once
#include <cstdint>
#include <vector>

#include "base/stop.h"
#include "scan/calls/own_objects.h"
#include "scan/objects/occurrences.h"
#include "scan/pairs/guard.h"
#include "scan/pairs/preemption.h"
#include "scan/pairs/rank_reasons.h"
#include "scan/reach/dying_code.h"
#include "scan/reach/last_owner.h"
#include "scan/reach/wide_ways.h"

namespace heddle::scan {

/// What the stages before this one found. `reach` and `names` grow as they are asked.
struct ScanFacts {
  const ScanInput& input;
  const std::vector<FunctionSummary>& summaries;
  const alias::AliasFacts& aliases;
  Reach& reach;
  LockNames& names;
  DyingCode& dying;
  const LastOwner& last_owner;
  const WideWays& wide_ways;
  const OwnObjects& own_objects;
  Preemption* preemption = nullptr;  ///< of a system of tasks and interrupts; null: there is none
};

struct Suspicion {
  Candidate first;  ///< a write
  Candidate second;
  std::vector<Doubt> doubts;
  std::uint32_t guard = LockNames::none;     ///< the lock most accesses of the variable hold
  std::uint32_t guarded = 0, locations = 0;  ///< so many of its locations do, of so many
  std::uint32_t left_out = 0;                ///< pairs of the same variable that are not listed
  std::int64_t rank = 0;                     ///< higher first; the sum of the rank_reasons
  std::vector<RankReason> rank_reasons = {};
  std::uint32_t variable = 0;  ///< in Suspicions::variables
  TypeId record = {};          ///< the struct whose member it is, if it is one
  bool first_lacks_guard = false, second_lacks_guard = false;
};

struct CandidateOptions {
  std::uint32_t pairs_of_a_bucket = 40;
  std::uint32_t pairs_of_two_groups = 12;
  std::uint32_t pairs_of_a_free = 6;        ///< with members of one struct: whoever frees it meets all of them
  std::uint32_t large_partition = 60;       ///< accesses that only their class connects: a doubt
  std::uint32_t hopeless_partition = 1500;  ///< more of them say nothing (assumption `small-classes`)
  std::uint32_t most = 3000;                ///< warnings in the report, the first by rank
};

struct CandidateStats {
  std::uint64_t accesses = 0, buckets = 0, shared_buckets = 0, pairs = 0;
  std::uint64_t large_classes = 0;  ///< that are not compared (assumption `small-classes`)
  std::uint64_t cut_groups = 0;     ///< with more accesses, or deeper calls, than were looked at
  std::vector<std::pair<Doubt, std::uint64_t>> left_after;  ///< warnings that remain after each filter, in order
};

struct Suspicions {
  std::vector<Suspicion> all;  ///< highest rank first
  std::vector<VariableFacts> variables;
  std::uint64_t dropped = 0;  ///< beyond CandidateOptions::most
  CandidateStats stats;
};

/// Stopped early, it knows those of the variables that it has looked at.
Suspicions find_suspicions(const ScanFacts& scanned, const CandidateOptions& options, const Stop& stop = {});

}  // namespace heddle::scan
