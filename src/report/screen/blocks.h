// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The races of a report by variable: what one block of the first screen is about.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "report/race_report.h"

namespace heddle::report {

struct Block {
  std::vector<const ReportRace*> races;  ///< the most suspicious first

  [[nodiscard]] const ReportRace& best() const { return *races.front(); }
  [[nodiscard]] RaceVerdict verdict() const { return best().verdict; }
  /// The variable; both names where a library's object is used that the user's code knows under two.
  [[nodiscard]] std::string title() const;
};

/// The surest verdict first, then as the report has them. What people are not shown is left out.
std::vector<Block> blocks_of(const RaceReport& report);

/// The accesses that matter: both sides of the best race, then others of the variable, those without its usual lock
/// first; each place once.
std::vector<const ReportAccess*> main_accesses(const Block& block, std::size_t most);

/// `40 likely, 12 unlikely`: how many of these blocks have which verdict.
std::string counted_by_word(const std::vector<Block>& blocks, std::size_t from);

/// For each race, as much of its id as no other has, and some digits at least.
std::map<std::string, std::string> short_ids(const RaceReport& report);

}  // namespace heddle::report
