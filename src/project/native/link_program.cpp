// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/link_program.h"

#include <algorithm>

#include "build/driver_call.h"
#include "build/run_process.h"
#include "frontend/clang/toolchain.h"
#include "host/program_file.h"

namespace heddle::project {
namespace {

using Texts = std::vector<std::string>;

/// Empty: it is not there, or may not be started.
std::string startable(const std::string& name, const LinkJob& job, std::string& why_not) {
  const auto file = host::program_file(name, job.directory);
  if (file.empty()) {
    why_not = "is not here";
    return {};
  }
  why_not = host::why_not_to_start(file, job.project);
  return why_not.empty() ? file.string() : std::string();
}

Result<std::string> choose_driver(const LinkJob& job, Texts& notes) {
  std::string why_not;
  const bool is_clang = job.driver.find("clang") != std::string::npos;
  if (!job.driver.empty() && build::is_compiler(job.driver) && (is_clang || !job.needs_clang))
    if (const std::string file = startable(job.driver, job, why_not); !file.empty()) return file;
  const Texts names = job.is_cxx ? Texts{frontend::clang_executable() + "++", "clang++-19", "clang++", "c++", "g++"}
                                 : Texts{frontend::clang_executable(), "clang-19", "clang", "cc", "gcc"};
  for (const std::string& name : names) {
    std::string refusal;
    const std::string file = startable(name, job, refusal);
    if (file.empty()) continue;
    if (!job.driver.empty())
      notes.push_back("linked with " + file + ": the recorded '" + job.driver + "' " +
                      (why_not.empty() ? "does not fit clang's objects" : why_not));
    return file;
  }
  return error("no compiler to link with; install one (on Debian: clang-19 or gcc)");
}

}  // namespace

Result<void> link_program(const LinkJob& job, std::vector<std::string>& notes) {
  const auto driver = choose_driver(job, notes);
  if (!driver) return std::unexpected(driver.error());
  Texts command = {*driver, "-o", job.output};
  command.insert(command.end(), job.arguments.begin(), job.arguments.end());
  // All of the runtime, in front of the C library: whoever calls pthread_create, a shared library included, gets ours.
  for (const std::string& word :
       {std::string("-Wl,--whole-archive"), job.runtime, std::string("-Wl,--no-whole-archive")})
    command.push_back(word);
  command.insert(command.end(), job.behind_runtime.begin(), job.behind_runtime.end());
  for (const std::string& word : {std::string("-pthread"), std::string("-ldl"), "-Wl,--dynamic-list=" + job.exports})
    command.push_back(word);
  const auto linked = build::run_process(command, job.directory);
  if (!linked) return error("'" + *driver + "' cannot be started: " + linked.error().message);
  if (linked->status == 0) return {};
  std::string said = linked->errors.substr(0, 4000);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return error("the instrumented program does not link:\n" + said);
}

}  // namespace heddle::project
