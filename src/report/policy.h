// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which races make a run fail, for `verify`, `scan` and `check` alike (--fail-on). A race that is suppressed, refuted
// or in the baseline never counts.
#pragma once
#include <optional>
#include <string_view>

#include "report/race_report.h"

namespace heddle::report {

/// The least that makes a run fail; each counts what the ones before it count.
enum class FailOn : std::uint8_t { Never, Confirmed, Likely, Unlikely };

/// `never`, `confirmed`, `likely`, `unlikely`.
std::optional<FailOn> fail_on_of(std::string_view word);

bool counts(const ReportRace& race, FailOn least);
/// Whether any race of the report counts.
bool fails(const RaceReport& report, FailOn least);

/// Reports for people leave out what is refuted or suppressed.
bool is_shown(const ReportRace& race);

/// How many races of that verdict are not suppressed.
std::size_t count_of(const RaceReport& report, RaceVerdict verdict);

}  // namespace heddle::report
