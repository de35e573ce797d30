// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"

namespace heddle::cli {

/// heddle replay FILE: runs a schedule on the interpreter and shows the race it ends in.
class ReplayCommand : public Command {
 public:
  explicit ReplayCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  std::string file_;
  std::uint64_t times_ = 1;
};

}  // namespace heddle::cli
