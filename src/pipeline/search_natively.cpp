// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/search_natively.h"

#include "explore/launch/launch.h"
#include "host/work_folder.h"
#include "pipeline/instrument.h"

namespace heddle::pipeline {

Result<std::vector<explore::DriverAnswer>> search_natively(const Input& input, const NativeSearches& wanted) {
  const auto driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  const host::WorkFolder folder("");
  if (folder.path().empty()) return error("no folder for the instrumented program");
  const auto sides = write_sides(input, folder.path());
  if (!sides) return std::unexpected(sides.error());
  const bool tells = sides->obstacle.empty();
  const auto program =
      instrument(input, {.folder = folder.path(), .runtime = {}, .hook_all = wanted.hook_all, .tell_ways = tells});
  if (!program) return std::unexpected(program.error());
  std::vector<explore::DriverAnswer> answers;
  for (const DriverSettings& settings : wanted.searches) {
    explore::LaunchJob job;
    job.program = program->program;
    job.accesses = program->table;
    job.driver = *driver;
    job.arguments = wanted.arguments;
    job.task = "enumerate";
    job.settings = settings;
    if (tells) job.settings["SIDES"] = sides->path;
    auto answer = explore::launch(job, Stop());
    if (!answer) return std::unexpected(answer.error());
    answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace heddle::pipeline
