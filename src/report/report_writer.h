// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <ostream>
#include <string>

#include "report/race_report.h"

namespace heddle::report {

struct TextOptions {
  std::size_t width = 100;  ///< no line is longer
  bool has_color = false;
  std::size_t limit = 15;   ///< variables that are shown; 0: all
  std::string folder = {};  ///< places below it are written without it
};

/// For people: one block per variable, the most suspicious first; the rest is counted.
void write_text(std::ostream& out, const RaceReport& report, const TextOptions& options = {});

/// Every race in clang's style: `file:line:col: warning: data race on 'G': write in f / read in g`, then notes.
/// `limit`: variables whose races are shown; 0: all.
void write_details(std::ostream& out, const RaceReport& report, std::size_t limit = 0);

/// report.json, version 1 (fields in docs/report_json.md).
void write_json(std::ostream& out, const RaceReport& report);

/// One race of it, for `heddle explain`: stacks, locks, threads, opinions, what to do next; source lines where the
/// files can be read.
void write_explanation(std::ostream& out, const RaceReport& report, const ReportRace& race);

/// SARIF 2.1.0, for viewers and CI services.
void write_sarif(std::ostream& out, const RaceReport& report);

}  // namespace heddle::report
