// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle run FILE…`: interprets the program once, prints what it prints and exits as it exits. It reads standard
/// input, the environment and files as the program asks; what it writes to files stays in the machine. For tests and
/// for looking at a program; not in the help, since it decides nothing.
class RunCommand : public Command {
 public:
  explicit RunCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  InputArguments input_;
  std::string scheduler_ = "round-robin";
  std::uint64_t seed_ = 1;
  std::uint64_t limit_ = 1'000'000'000;
  std::uint32_t max_threads_ = 1024;
  std::uint64_t max_heap_ = 1ULL << 30;
  std::uint32_t max_depth_ = 20'000;
  bool statistics_ = false;
};

}  // namespace heddle::cli
