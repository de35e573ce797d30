// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle explain ID`: everything known of one race of the last report.
/// `heddle explain VARIABLE|FILE:LINE [FILE…]`: every pair of accesses to it, or of that line, that was looked at, with
/// what separates it.
class ExplainCommand : public Command {
 public:
  explicit ExplainCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  ExitCode explain_race();
  ExitCode explain_variable(const std::vector<std::string>& clang_flags);

  std::string what_;
  InputArguments input_;
  std::string report_;
  std::string format_ = "text";
  bool by_scan_ = false;
  std::vector<std::string> profiles_;
};

}  // namespace heddle::cli
