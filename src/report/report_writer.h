// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <ostream>

#include "report/race_report.h"

namespace heddle::report {

/// clang's style: `file:line:col: warning: data race on 'G': write in f / read in g`, then notes.
void write_text(std::ostream& out, const RaceReport& report);

/// report.json, version 1 (fields in docs/report_json.md).
void write_json(std::ostream& out, const RaceReport& report);

/// One race of it, for `heddle explain`: stacks, locks, threads, opinions, what to do next; source lines where the
/// files can be read.
void write_explanation(std::ostream& out, const RaceReport& report, const ReportRace& race);

/// SARIF 2.1.0, for viewers and CI services.
void write_sarif(std::ostream& out, const RaceReport& report);

}  // namespace heddle::report
