// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every command that ends with a report shares: --format, -o, and writing it there.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "race/race_report.h"

namespace heddle::cli {

void declare_report_options(CLI::App& subcommand, std::string& format, std::string& output);

/// Asked before the analysis, so that nobody waits for a report that has nowhere to go.
Result<void> check_destination(const std::string& file);

/// To standard output if there is no file.
Result<void> write_report(const RaceReport& report, const std::string& format, const std::string& file);

}  // namespace heddle::cli
