// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle explore`: the real program runs, natively, under a scheduler that decides every operation others can feel.
//
//   sources or a captured project → instrumented executable → all its executions that matter → words
//
// The verdict is of this input: arguments, standard input, files and environment as they are. `race`: a schedule shows
// it again. `race-free`: every execution was looked at. Else `unknown`, with what stands in the way.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "explore/launch/answer.h"
#include "explore/prune/pruned_search.h"
#include "explore/shares/shared_counts.h"
#include "pipeline/load.h"
#include "report/race_report.h"

namespace heddle::pipeline {

struct ExploreOptions {
  std::vector<std::string> arguments;  ///< of the program
  std::string standard_input = "/dev/null";
  std::string folder;                  ///< for the instrumented program; empty: one that is gone afterwards
  std::string schedule_file;           ///< where the schedule of a race goes; empty: nowhere
  std::uint64_t events = 100'000'000;  ///< operations of the search, over all executions
  std::uint64_t steps = 0;             ///< of one execution, then it is cut and nothing is proved; 0: the default
  std::uint32_t threads = 64;
  unsigned workers = 1;    ///< processes that search at the same time
  std::string state_file;  ///< keeps what is left of the search, to go on with; empty: nowhere
  bool hook_all = false;
  bool finds_all = false;  ///< goes on behind the first race, for every racing pair
  bool prunes = true;      ///< leaves out what cannot have a race (explore/prune/pruned_search.h)
  bool shows_output = false;
  Stop stop;
};

struct Explored {
  RaceReport report;
  std::uint64_t executions = 0;
  std::uint64_t events = 0;
  std::optional<explore::PruneStatistics> pruning;   ///< none: nothing was left out; `search` is not filled
  explore::SharedCounts counts;                      ///< of one execution; zeros: the search did not begin
  std::string unpruned;                              ///< why nothing was, though it was asked for
  std::uint64_t unknown_calls = 0;                   ///< places that call what nobody knows: it may do anything
  std::map<std::string, std::size_t> unknown_sides;  ///< why branches may do anything, how many each
  bool was_resumed = false;
  bool is_left = false;  ///< the file has what is left of the search
};

/// Errors are bad input (exit code 2).
Result<Explored> explore(const Input& input, const ExploreOptions& options, const Tell& tell = {});

// --- one search after the other over the running program, for tests and measurements: nothing is decided

/// As the driver knows them: SEARCH, EVENTS, …
using DriverSettings = std::map<std::string, std::string>;

struct NativeSearches {
  std::vector<DriverSettings> searches;
  std::vector<std::string> arguments;  ///< of the program
  bool hook_all = false;
};

/// What the driver's task `enumerate` answers to each.
Result<std::vector<explore::DriverAnswer>> search_natively(const Input& input, const NativeSearches& wanted);

}  // namespace heddle::pipeline
