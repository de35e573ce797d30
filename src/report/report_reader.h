// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Back from report.json to a RaceReport, for `heddle explain` and baselines. What an older heddle did not write is left
// empty.
#pragma once
#include <string_view>

#include "base/result.h"
#include "report/race_report.h"

namespace heddle::report {

/// Verdict, program, races and obstacles; the error is a predicate of the file: "is no report.json of heddle; …".
Result<RaceReport> read_json(std::string_view text);

/// The race of that ID, or of the only ID that begins so. The error names the nearest ones.
Result<const ReportRace*> find_race(const RaceReport& report, std::string_view id);

}  // namespace heddle::report
