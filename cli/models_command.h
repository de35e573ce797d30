// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "command.h"
#include "input_arguments.h"

namespace heddle::cli {

/// `heddle models`: every library function heddle knows and what it does.
/// `heddle models FILE…`: the functions this program calls that have neither a body nor a model.
class ModelsCommand : public Command {
 public:
  explicit ModelsCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  ExitCode list_unexplained(const pipeline::Options& options, const api::ApiModels& models) const;

  InputArguments input_;
};

}  // namespace heddle::cli
