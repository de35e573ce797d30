// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Systematic searches over an Executor (search/course.h stops the threads that spin). Nothing is remembered of states:
// a path is gone back on to where the next one leaves it.
//
//   Exhaustive   every interleaving of visible operations; optionally only those with few preemptions
//   Classic      DPOR of Flanagan and Godefroid (POPL 2005), with sleep sets
//   Source       source sets (Abdulla et al., POPL 2014)
//   Optimal      wakeup trees: every Mazurkiewicz trace once, and no run that sleep sets cut off
//
// Example: three threads that each lock, increment and unlock three times have 1 680 traces; Optimal runs 1 680
// executions. All but the preemption-bounded search visit every trace if they end (`complete`) and nothing was cut:
// waiting operations take part in the reversal of races, so deadlocks are found too. Cost: executions times their
// length.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>

#include "base/stop.h"
#include "explore/search/course.h"
#include "explore/search/dependence.h"

namespace heddle::explore {

struct Share;
struct ShareReport;

enum class SearchKind : std::uint8_t { Exhaustive, Classic, Source, Optimal };

struct SearchLimits {
  std::uint64_t executions = UINT64_MAX;
  std::uint64_t events = UINT64_MAX;              ///< over all executions, repeated prefixes included
  std::optional<std::uint32_t> preemption_bound;  ///< Exhaustive only; no bound: all
  Stop stop;
};

struct SearchStatistics {
  std::uint64_t executions = 0;     ///< maximal ones
  std::uint64_t sleep_blocked = 0;  ///< given up because only sleeping threads were left
  std::uint64_t refused = 0;        ///< sequences whose last operation turned out to wait
  std::uint64_t left_out = 0;       ///< switches to another thread that the preemption bound forbade
  std::uint64_t events = 0;
  bool complete = false;  ///< nothing is left to visit within the preemption bound
  bool diverged = false;  ///< the executor did not do again what it had done before
};

/// Called with each maximal execution, the executor still in its last state. False ends the search.
using Visitor = std::function<bool(const Trace&)>;

SearchStatistics search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit);
/// Works on a part of a search (share.h), which may be all of it. Limits count what is done here; `complete`: nothing
/// of the share is left to visit. Not for Optimal.
SearchStatistics search(Course& course, SearchKind kind, const SearchLimits& limits, const Visitor& visit, Share share,
                        ShareReport& report);
/// As above, for callers that ask nothing of the Course.
SearchStatistics search(Executor& executor, SearchKind kind, const SearchLimits& limits, const Visitor& visit);

}  // namespace heddle::explore
