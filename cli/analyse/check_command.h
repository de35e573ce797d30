// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/analyse/run_arguments.h"
#include "cli/analyse/scan_arguments.h"
#include "cli/command.h"
#include "cli/input_arguments.h"
#include "cli/limit_arguments.h"
#include "pipeline/check.h"

namespace heddle::cli {

/// `heddle check [FILE…] [--run COMMAND]`: a scan whose suspected races are put before the judges; one report.
class CheckCommand : public Command {
 public:
  explicit CheckCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  [[nodiscard]] Result<scan::ScanResult> check(const std::vector<std::string>& clang_flags);

  InputArguments input_;
  ReportArguments report_{"unlikely"};
  ScanArguments scan_;
  RunArguments run_;
  LimitArguments limits_;
  std::uint64_t search_budget_ = pipeline::CheckOptions{}.search_budget;
  std::string schedule_;
};

}  // namespace heddle::cli
