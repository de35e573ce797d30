// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <span>

#include "cli/command.h"

namespace heddle::cli {

/// `heddle cc ARGS…`: takes the place of a compiler inside `heddle capture`. Its arguments are a compiler's, so nothing
/// of them is read as heddle's own. Returns only if it did the work itself; else it becomes the real compiler.
int run_as_compiler(std::span<char*> arguments);

/// Only so that `heddle --help` shows it.
class CcCommand : public Command {
 public:
  explicit CcCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;
};

}  // namespace heddle::cli
