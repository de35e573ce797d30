// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Docket: all case files of a run, and what else its verdict rests on. A driver fills it, judges go over it, the report
// is written from it; nobody edits words. The verdict of the program is computed from it in one place, verdict_of():
//
//   one case is confirmed                                                       race
//   else a part of the program is missing                                       unknown
//   else a judge proved the whole program                                       race-free
//   else the driver saw every access, met no obstacle, all warnings are listed
//     and all cases are refuted                                                 race-free
//   else                                                                        unknown
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "race/case_file.h"
#include "race/proof.h"
#include "report/race_report.h"

namespace heddle::race {

/// Something that stands between the case files and a proof.
struct Obstacle {
  enum class Kind : std::uint8_t {
    Analysis,  ///< the driver met something that it does not treat; a proof that does not rest on it is not affected
    Gap,       ///< a part of the program is missing or not certain: nothing can be proved
    Judge,     ///< a judge that could have decided the program did not, and says why
    Bug,       ///< of ours: nothing can be proved
  };
  Kind kind = Kind::Analysis;
  std::string where;  ///< file:line:column, or empty
  std::string what;
};

/// Something wrong other than a race that a judge met.
struct Finding {
  ReportFinding words;
  std::optional<Schedule> schedule;  ///< shows it again
};

struct Docket {
  std::vector<CaseFile> cases;  ///< in the order of the report
  std::vector<Obstacle> obstacles;
  std::vector<std::string> assumptions;  ///< names from docs/assumptions.md, of the driver and of judges
  /// The driver looked at every access of every execution: without a case and without an obstacle there is no race.
  bool is_exhaustive = false;
  std::optional<Proof> proof;  ///< of the whole program, by a judge
  std::vector<Finding> findings;
  ReportCoverage coverage;
  std::uint64_t not_listed = 0;  ///< warnings beyond what the driver may list

  void assume(std::string name);  ///< once
};

Verdict verdict_of(const Docket& docket);

}  // namespace heddle::race
