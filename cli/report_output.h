// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where reports go: to a stream or a file, and beside a captured project for `heddle explain`.
#pragma once
#include <cstdint>
#include <string>

#include "base/result.h"
#include "report/race_report.h"

namespace heddle::cli {

/// An error if no report can be written there.
Result<void> check_destination(const std::string& file);

/// How a report is written.
struct ReportStyle {
  std::string format = "text";  ///< "text", "json", "sarif"
  std::string color = "auto";   ///< "auto": on a terminal, unless NO_COLOR is set; "always"; "never"
  std::uint32_t limit = 15;     ///< variables in text; 0: all
  bool has_details = false;     ///< text: every race with its notes
};

/// `color`: as in ReportStyle, for what goes to standard output.
bool wants_color(const std::string& color);

/// Standard output is a terminal.
bool is_read_on_terminal();
/// Of lines on standard output: those of the terminal, or of a page.
std::size_t report_width();

/// To standard output if there is no file. Text is as wide as the terminal it goes to.
Result<void> write_report(const RaceReport& report, const ReportStyle& style, const std::string& file);

/// Where the report of a captured project is kept for `heddle explain`.
std::string last_report_file();

/// Keeps it there if it is of a captured project. That it cannot be kept is a note, not an error.
void keep_last_report(const RaceReport& report);

/// Of this very heddle; else an error that says what to do.
Result<RaceReport> read_last_report();

}  // namespace heddle::cli
