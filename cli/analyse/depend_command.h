// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle depend --entries [FILE…]`: the tasks and interrupts of a program, and who can interrupt whom.
class DependCommand : public Command {
 public:
  explicit DependCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  InputArguments input_;
  std::vector<std::string> profiles_;
  std::string oil_;
  std::string format_ = "text";
  bool lists_entries_ = false;
};

}  // namespace heddle::cli
