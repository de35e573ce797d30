// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"

namespace heddle::cli {

/// `heddle doctor [-p DIR]`: what is missing on this machine and in a compile_commands.json, and how to get it. Exit
/// code 2 if something that every capture needs is missing.
class DoctorCommand : public Command {
 public:
  explicit DoctorCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  std::string database_path_;
};

}  // namespace heddle::cli
