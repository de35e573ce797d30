// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `scan` and `check` share: which assumptions a scan makes, what is told of its stages, and the list of races with
// a last line that counts them.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/report_arguments.h"
#include "scan/scan.h"

namespace heddle::cli {

class ScanArguments {
 public:
  void declare(CLI::App& subcommand);

  [[nodiscard]] scan::ScanOptions options(unsigned jobs) const;
  [[nodiscard]] bool wants_stats() const { return stats_; }

  /// Writes statistics, report and last line, and says how the command ends: by the races that the filters leave.
  [[nodiscard]] ExitCode write(scan::ScanResult& result, const ReportArguments& arguments) const;

 private:
  bool stats_ = false;
  std::vector<std::string> without_;
  bool sound_ = false;
  bool no_history_ = false;
  bool no_values_ = false;
  bool no_transactions_ = false;
  std::string cover_ = "history";
};

}  // namespace heddle::cli
