// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"

namespace heddle::cli {

/// `heddle models`: every library function heddle knows and what it does.
/// `heddle models FILE…`: the functions this program calls that have neither a body nor a model.
/// `heddle models --propose [FILE…]`: those that look like locks, as models for a heddle.toml.
/// `heddle models --profile NAME --entries [FILE…]`: the functions that code outside the program calls.
class ModelsCommand : public Command {
 public:
  explicit ModelsCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  Result<Program> load(const pipeline::Input& input) const;
  ExitCode list_entries(const pipeline::Input& input, const api::ApiModels& models) const;
  ExitCode propose(const pipeline::Input& input, const api::ApiModels& models) const;
  ExitCode list_unexplained(const pipeline::Input& input, const api::ApiModels& models) const;

  InputArguments input_;
  std::vector<std::string> profiles_;
  bool proposes_ = false;
  bool lists_entries_ = false;
};

}  // namespace heddle::cli
