// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>

#include "cli/command.h"
#include "pipeline/replay_native.h"

namespace heddle::cli {

/// heddle replay FILE: runs a schedule, on the interpreter or as a real program, and shows the race it ends in.
class ReplayCommand : public Command {
 public:
  explicit ReplayCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  Result<std::string> replay();
  Result<std::string> replay_native(const race::Schedule& schedule);

  std::string file_;
  pipeline::NativeReplayOptions native_;
  std::uint64_t times_ = 1;
  std::uint32_t seconds_ = 300;
  bool uses_threads_ = false;
  bool uses_tsan_ = false;
  bool uses_gdb_ = false;
};

}  // namespace heddle::cli
