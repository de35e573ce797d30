// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle ir FILE…`: the Program as the analysis sees it, or its memory accesses by source-like name, or what the
/// analyses know.
class IrCommand : public Command {
 public:
  explicit IrCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  InputArguments input_;
  bool accesses_ = false;
  bool states_ = false;
  bool summaries_ = false;
};

}  // namespace heddle::cli
