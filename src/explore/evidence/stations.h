// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stations: a schedule as the places that its threads come to, for formats that know a program's text and not its
// steps.
//
//   run 0 12, run 1 3, race 0 1      main makes the last of its steps at line 20, thread 1 its last at line 9; then the
//                                    two accesses
#pragma once
#include <vector>

#include "explore/executor/subject.h"
#include "race/schedule.h"
#include "report/race_report.h"

namespace heddle::explore {

struct Station {
  ThreadIndex thread = 0;
  ReportFrame where;
  std::optional<std::uint64_t> given = {};  ///< an input of so many bits, asked for there
  std::uint32_t bits = 0;
};

struct Stations {
  std::vector<Station> on_the_way;  ///< where another thread goes on, and where inputs are asked for; in order
  Station first, second;            ///< the two accesses
};

/// Errors: the schedule does not replay.
Result<Stations> stations_of(const Subject& subject, const race::Schedule& schedule);

}  // namespace heddle::explore
