// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle enumerate FILE…`: every execution of the program that a systematic search visits, counted and compared; one
/// line of JSON. `heddle enumerate --batch`: the same for each file named on a line of standard input, one program a
/// line. For tests and measurements; not in the help, since it decides nothing.
class EnumerateCommand : public Command {
 public:
  explicit EnumerateCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  [[nodiscard]] std::string answer(const pipeline::Input& options, const api::ApiModels& models) const;
  [[nodiscard]] std::string native_answer(const pipeline::Input& input) const;

  InputArguments input_;
  std::vector<std::string> modes_{"optimal"};
  std::vector<std::string> grains_{"sync"};
  std::vector<std::string> without_;
  std::uint64_t budget_ = 400'000;
  std::uint64_t search_budget_ = 300'000;
  std::optional<std::uint32_t> preemptions_;
  bool verifies_ = false;
  bool weakest_ = false;
  bool no_static_ = false;
  bool without_races_ = false;
  bool batch_ = false;
  bool native_ = false;
  bool until_race_ = false;
  bool hook_all_ = false;
};

}  // namespace heddle::cli
