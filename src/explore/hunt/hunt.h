// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for many suspected races at once, in three stages, cheapest first:
//
//   runs       under different schedulers, watched by clocks: every pair without an order that a run shows is driven to
//              the state in which both accesses are enabled (evidence/confirm.h)
//   approach   for each pair that no run has shown: a search directed at its two accesses (approach.h)
//   search     everything, as far as the budget goes (search/search.h), with the same watch
//
// A pair that nobody suspected and that a run shows is confirmed as well: it is as real. Each race is told when it is
// found, so that nothing is lost if the program under test takes this process with it.
//
//   HuntNews news{.found = [&](const AccessPair&, const ConfirmedRace& race) { … }};
//   hunt(subject, suspected, {}, news)
//
// Never wrong about a race, for each is replayed. Not finding one says nothing: no pair is ever refuted here. Budgets
// count instructions, so the answer is the same on every machine unless `stop` ends it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "explore/evidence/confirm.h"

namespace heddle::explore {

struct HuntOptions {
  std::uint64_t budget = 400'000'000;     ///< instructions, of all stages but the search
  std::uint64_t budget_each = 6'000'000;  ///< of one approach
  std::uint64_t length = 1;               ///< how much longer runs may be than those of attempt.h
  std::uint64_t events = 1'000'000;       ///< of the search
  std::uint64_t work = 30'000'000;        ///< the same in pairs of events compared, about: long executions cost more
  std::uint64_t unsuspected = 20;         ///< so many races besides, at most
  /// Pairs that only lack an order count as well. Not where code runs of which nobody knows what it orders.
  bool takes_unordered = true;
  std::uint64_t seed = 1;
  std::uint64_t first_run = 0;  ///< earlier ones were made by a process that did not survive them
  bool makes_runs = true;       ///< without them every pair is approached
  Stop stop;
};

struct HuntNews {
  std::function<void(const AccessPair& pair, const ConfirmedRace& race)> found = {};
  /// `stage`: "run", "approach" or "search"; `number`: of the run, or of the pair.
  std::function<void(const char* stage, std::uint64_t number)> begins = {};
};

struct HuntResult {
  /// Of each pair: how many of its two accesses were made by some thread in some run.
  std::vector<std::uint32_t> reached;
  std::uint64_t runs = 0;
  std::uint64_t executions = 0;  ///< of the search
  std::string obstacle;          ///< what kept threads from going on, in a sentence; empty: nothing
};

HuntResult hunt(Subject& subject, const std::vector<AccessPair>& suspected, const HuntOptions& options,
                const HuntNews& news);

}  // namespace heddle::explore
