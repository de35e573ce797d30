// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --run: the command that runs the program, for suspected races to be tried on it.
//
//   heddle check --run './server -p 80'      the program of that name, as the captured build linked it
//   heddle check a.c --run './a 3'           the program of these files, called ./a
//   heddle check --run                       the command of heddle.toml: [run] command = "./server -p 80"
//
// No shell is started, and of the command only the program itself runs, built with hooks.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

#include "base/result.h"
#include "pipeline/load.h"
#include "pipeline/native/hunt.h"

namespace heddle::cli {

class RunArguments {
 public:
  void declare(CLI::App& subcommand);

  [[nodiscard]] bool is_asked() const { return option_->count() > 0; }
  /// Of a captured project, `input` learns which program is meant, unless it knows.
  [[nodiscard]] Result<pipeline::HuntOptions> options(pipeline::Input& input) const;

 private:
  [[nodiscard]] Result<std::string> command(const pipeline::Input& input) const;

  CLI::Option* option_ = nullptr;
  std::string command_;
  pipeline::HuntOptions options_;
};

}  // namespace heddle::cli
