// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"

namespace heddle::cli {

/// `heddle init [DIR]`: looks at a project, writes its heddle.toml and says what to type next. An existing heddle.toml
/// is never touched; what one could add to it is printed.
class InitCommand : public Command {
 public:
  explicit InitCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  std::string folder_ = ".";
};

}  // namespace heddle::cli
