// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "cli/command.h"
#include "cli/input_arguments.h"
#include "project/native/build_instrumented.h"

namespace heddle::cli {

/// `heddle instrument FILE… -o FOLDER`: the program with hooks, linked with the runtime; says what was hooked in one
/// line of JSON. For tests and measurements; not in the help, since it decides nothing.
class InstrumentCommand : public Command {
 public:
  explicit InstrumentCommand(CLI::App& app);
  ExitCode run(const std::vector<std::string>& clang_flags) override;

 private:
  InputArguments input_;
  project::NativeOptions how_;
};

}  // namespace heddle::cli
