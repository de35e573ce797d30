// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/prepare/cc_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "build/intercept/record.h"
#include "build/recording_compiler.h"
#include "build/run_process.h"
#include "host/shell_words.h"

namespace heddle::cli {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

int run_as_compiler(std::span<char*> values) {
  std::vector<std::string> arguments(values.begin(), values.end());
  // From the preload library the compiler's own name comes first; by hand (CC='heddle cc') it is ours to choose.
  std::string real = variable(HEDDLE_REAL_VARIABLE);
  if (real.empty()) {
    const std::string chosen = variable("HEDDLE_CC");
    const auto words = host::split_shell_words(chosen.empty() ? "cc" : chosen);
    if (!words || words->empty()) {
      print_error("HEDDLE_CC is no command: " + chosen);
      return static_cast<int>(ExitCode::BadInput);
    }
    real = words->front();
    arguments.insert(arguments.begin(), words->begin(), words->end());
  }
  unsetenv(HEDDLE_REAL_VARIABLE);
  setenv(HEDDLE_INSIDE_VARIABLE, "1", 1);
  const std::string log = variable(HEDDLE_LOG_VARIABLE);
  if (!log.empty() && build::record_compile_step(arguments, real, log)) return 0;
  execvp(real.c_str(), build::pointers_to(arguments).data());
  print_error("the compiler '" + real + "' cannot be started: " + std::strerror(errno) + "; name another in HEDDLE_CC");
  return static_cast<int>(ExitCode::BadInput);
}

CcCommand::CcCommand(CLI::App& app)
    : Command(app, "cc",
              "A compiler that only records: heddle capture -- make -k CC='heddle cc' (HEDDLE_CC: the real one)") {}

ExitCode CcCommand::run(const std::vector<std::string>&) {
  print_error("'heddle cc' is a compiler for builds under 'heddle capture'; see docs/capture.md");
  return ExitCode::BadInput;
}

}  // namespace heddle::cli
