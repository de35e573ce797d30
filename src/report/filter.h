// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which races the user asked for (--file, --variable, --thread, --only). A race stays if either of its sides fits one
// of the texts of each kind that was given.
//
//   --file net/          part of the path; of the access, or of the user's code that leads to it
//   --file 'net/*.c'     with '*': the whole path, or its end from some folder on
//   --variable hits      part of the name, or with '*' all of it
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/race_report.h"

namespace heddle::report {

struct Filter {
  std::vector<std::string> files, variables, threads;
  std::optional<RaceVerdict> least;  ///< this or surer

  [[nodiscard]] bool is_empty() const { return files.empty() && variables.empty() && threads.empty() && !least; }
};

/// `confirmed`, `likely`, `unlikely`.
std::optional<RaceVerdict> least_of(std::string_view word);

bool passes(const Filter& filter, const ReportRace& race);

/// Leaves the races that pass, and counts those that a report would have shown without the filter.
void apply(const Filter& filter, RaceReport& report);

}  // namespace heddle::report
