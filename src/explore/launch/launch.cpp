// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/launch.h"

#include <poll.h>

#include <filesystem>

#include "explore/launch/process.h"

namespace heddle::explore {

Result<DriverAnswer> launch(const LaunchJob& job, const Stop& stop) {
  Result<ProgramProcess> process = ProgramProcess::start(job);
  if (!process) return std::unexpected(process.error());
  std::string text;
  while (process->read_some(text)) {
    if (stop.is_asked()) return error("the program was stopped: " + stop.why());
    pollfd one{process->socket(), POLLIN, 0};
    poll(&one, 1, 100);
  }
  const std::string death = process->death();
  if (text.empty()) return error(job.program + " " + death);
  Result<DriverAnswer> answer = parse_answer(text);
  if (answer) answer->why_addresses_vary = explore::why_addresses_vary();
  return answer;
}

Result<std::string> driver_file() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  for (const char* place : {"libheddle_driver.so", "../lib/heddle/libheddle_driver.so"}) {
    const fs::path candidate = (program.parent_path() / place).lexically_normal();
    if (!program.empty() && fs::exists(candidate, failure)) return candidate.string();
  }
  return error("libheddle_driver.so is neither beside " + program.string() +
               " nor in ../lib/heddle; install it from heddle's build folder (ninja heddle_driver)");
}

}  // namespace heddle::explore
