// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/analyse/scan_arguments.h"
#include "cli/command.h"
#include "cli/input_arguments.h"
#include "cli/limit_arguments.h"

namespace heddle::cli {

/// `heddle scan [FILE…]`: suspected races of a captured project or of sources, static stages only, for code of any
/// size.
class ScanCommand : public Command {
 public:
  explicit ScanCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  InputArguments input_;
  LimitArguments limits_;
  ReportArguments report_{"unlikely"};
  ScanArguments scan_;
  ExitCode list_shared(const pipeline::Input& input);

  bool no_store_ = false;
  bool lists_shared_ = false, lists_others_ = false;
};

}  // namespace heddle::cli
