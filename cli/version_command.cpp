// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/version_command.h"

#include <iostream>

namespace heddle::cli {

VersionCommand::VersionCommand(CLI::App& app) : Command(app, "version", "Print the version") {}

ExitCode VersionCommand::run(const std::vector<std::string>&) {
  std::cout << version_text << '\n';
  return ExitCode::Fine;
}

}  // namespace heddle::cli
