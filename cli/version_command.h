// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"

namespace heddle::cli {

/// Kept equal to project(VERSION) by a check in tests/CMakeLists.txt.
inline constexpr const char* version_text = "heddle 0.1.0";

class VersionCommand : public Command {
 public:
  explicit VersionCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;
};

}  // namespace heddle::cli
