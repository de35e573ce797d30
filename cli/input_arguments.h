// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/load.h"

namespace heddle::cli {

/// The arguments of every command that reads a program: FILE…, --program, --data-model, --models.
class InputArguments {
 public:
  /// Required: a captured project serves as well.
  enum class Files { Required, Optional };

  void declare(CLI::App& subcommand, Files files);

  [[nodiscard]] bool has_files() const { return !files_.empty(); }

  /// Checks that the files can be read and finds the project's heddle.toml.
  [[nodiscard]] Result<pipeline::Input> input(const std::vector<std::string>& clang_flags) const;

 private:
  Files files_wanted_ = Files::Required;
  std::vector<std::string> files_;
  std::vector<std::string> model_files_;
  std::string data_model_;
  std::string program_;
};

}  // namespace heddle::cli
