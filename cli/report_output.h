// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every command that ends with a report shares: --format, -o, and writing it there.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "cli/input_arguments.h"
#include "report/race_report.h"

namespace heddle::cli {

void declare_report_options(CLI::App& subcommand, std::string& format, std::string& output);

/// The options of the input. The destination is asked for before the analysis, so that nobody waits for a report that
/// has nowhere to go.
Result<pipeline::Options> options_with_destination(const InputArguments& input,
                                                   const std::vector<std::string>& clang_flags,
                                                   const std::string& file);

/// To standard output if there is no file.
Result<void> write_report(const RaceReport& report, const std::string& format, const std::string& file);

/// Where the report of a captured project is kept for `heddle explain`.
std::string last_report_file();

/// Keeps it there if it is of a captured project. That it cannot be kept is a note, not an error.
void keep_last_report(const RaceReport& report);

/// Of this very heddle; else an error that says what to do.
Result<RaceReport> read_last_report();

}  // namespace heddle::cli
