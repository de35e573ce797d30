// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"

namespace heddle::cli {

/// `heddle explain ID`: everything known of one race of the last report.
class ExplainCommand : public Command {
 public:
  explicit ExplainCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  std::string id_;
  std::string report_;
};

}  // namespace heddle::cli
