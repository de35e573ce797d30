// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/policy.h"

#include <algorithm>

namespace heddle::report {

std::optional<FailOn> fail_on_of(std::string_view word) {
  if (word == "never") return FailOn::Never;
  if (word == "confirmed") return FailOn::Confirmed;
  if (word == "likely") return FailOn::Likely;
  if (word == "unlikely") return FailOn::Unlikely;
  return std::nullopt;
}

bool is_shown(const ReportRace& race) {
  return race.verdict != RaceVerdict::Refuted && race.suppressed.empty() && !race.accesses.empty();
}

bool counts(const ReportRace& race, FailOn least) {
  if (!race.suppressed.empty() || race.baseline == "unchanged") return false;
  switch (race.verdict) {
    case RaceVerdict::Confirmed: return least >= FailOn::Confirmed;
    case RaceVerdict::Witnessed:
    case RaceVerdict::Likely: return least >= FailOn::Likely;
    case RaceVerdict::Unlikely: return least >= FailOn::Unlikely;
    case RaceVerdict::Refuted: return false;
  }
  return false;
}

bool fails(const RaceReport& report, FailOn least) {
  return std::ranges::any_of(report.races, [&](const ReportRace& race) { return counts(race, least); });
}

std::size_t count_of(const RaceReport& report, RaceVerdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.races, [&](const ReportRace& race) { return race.verdict == verdict && race.suppressed.empty(); }));
}

}  // namespace heddle::report
