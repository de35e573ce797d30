// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where reports go: to a stream or a file, and beside a captured project for `heddle explain`.
#pragma once
#include <string>

#include "base/result.h"
#include "report/race_report.h"

namespace heddle::cli {

/// An error if no report can be written there.
Result<void> check_destination(const std::string& file);

/// To standard output if there is no file.
Result<void> write_report(const RaceReport& report, const std::string& format, const std::string& file);

/// Where the report of a captured project is kept for `heddle explain`.
std::string last_report_file();

/// Keeps it there if it is of a captured project. That it cannot be kept is a note, not an error.
void keep_last_report(const RaceReport& report);

/// Of this very heddle; else an error that says what to do.
Result<RaceReport> read_last_report();

}  // namespace heddle::cli
