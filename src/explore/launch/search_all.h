// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search through all executions of a program, done by several workers, in rounds.
//
//   find      one worker looks for a race in a few runs: most are found there
//   rounds    the frontier (shares/frontier.h) gives out shares, workers search them, what is left comes back
//   verdict   once no share is left, or a race was found, or a limit was met
//
// A round's shares are always as many and as large as the rounds before make them, never as time or the number of
// workers would have it, and their answers are taken in order: the result is the same for any number of workers.
// After each round what is left can be kept in a file, with which another call goes on.
#pragma once
#include <optional>
#include <string>

#include "base/stop.h"
#include "explore/evidence/exhaust.h"
#include "explore/launch/answer.h"
#include "explore/launch/launch.h"

namespace heddle::explore {

struct SearchAllOptions {
  unsigned workers = 1;
  bool prune = false;
  bool finds_all = false;                       ///< goes on behind the first race
  std::uint64_t find_instructions = 2'000'000;  ///< budget of the first runs
  std::uint64_t events = 100'000'000;           ///< of all executions
  std::uint64_t work_with_gaps = 300'000;       ///< once no proof can come of it any more
  std::string state_file;                       ///< where what is left is kept; empty: nowhere
  std::string state_key;                        ///< of the program and its input: a file of another one is refused
  Stop stop;
};

struct SearchedAll {
  std::vector<AnsweredRace> races;  ///< one, or all pairs if they were asked for
  ExhaustResult result;             ///< statistics; without a race, what it comes to
  bool is_whole = false;            ///< nothing is left, so these are all
  std::uint64_t runs = 0;
  std::vector<LoadedModule> modules;
  bool was_resumed = false;
  std::string why_addresses_vary;  ///< then one worker has done it all, and nothing was kept; empty: they do not
};

/// Errors: the program cannot be started, it died before it had answered anything, the file is another program's.
Result<SearchedAll> search_all(LaunchJob job, const SearchAllOptions& options);

}  // namespace heddle::explore
