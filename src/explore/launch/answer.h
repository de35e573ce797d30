// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a driver answered (native/driver_result.h writes it), read outside of the program.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "explore/executor/deed.h"
#include "race/schedule.h"
#include "report/race_report.h"

namespace heddle::explore {

/// The program or one of its libraries, where it was loaded.
struct LoadedModule {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::string file;
};

/// Addresses in it are still numbers: `@7f00deadbeef`.
struct AnsweredRace {
  race::Schedule schedule;
  std::string variable;
  std::string value;
  AccessPair keys;
  std::string missing;  ///< the edge that is missing, of a pair without order
  std::uint64_t switches = 0;
  std::vector<ReportAccess> accesses;
  std::uint64_t first_access = 0;  ///< AccessIds of the pair that was looked for; 0: none was
  std::uint64_t second_access = 0;
};

/// What a worker did last, in the task `hunt`: the stage, and the number of the run or pair.
struct BegunWork {
  std::string stage;
  std::uint64_t number = 0;
};

struct DriverAnswer {
  std::string verdict;                      ///< empty: the task has none
  std::string why;                          ///< "unknown": what stands in the way
  std::optional<AnsweredRace> race;         ///< the first one
  std::vector<AnsweredRace> races;          ///< all of them
  std::vector<std::uint32_t> reached = {};  ///< of each pair that was looked for: so many of its accesses were made
  BegunWork begun = {};
  std::uint64_t runs = 0;        ///< before the search
  std::uint64_t executions = 0;  ///< of the search
  std::uint64_t events = 0;
  std::vector<LoadedModule> modules;
  std::vector<std::pair<std::string, std::string>> facts;  ///< everything else, in order
  std::string why_addresses_vary;  ///< from run to run, since the system refused fixed ones; empty: they do not
};

/// An error: it is not whole, or the driver's own.
Result<DriverAnswer> parse_answer(std::string_view text);
/// The same of a worker that may have died while it answered: what it said before counts. `failure` is what it said
/// went wrong, or empty.
DriverAnswer parse_cut_answer(std::string_view text, std::string& failure);

}  // namespace heddle::explore
