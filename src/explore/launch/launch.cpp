// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/launch/launch.h"

#include <poll.h>

#include <chrono>
#include <filesystem>

#include "explore/launch/process.h"

namespace heddle::explore {
namespace {

struct Spoken {
  std::string text;
  std::string death;  ///< how it ended; empty: it was stopped before
  bool was_stopped = false, was_silent = false;
};

/// Starts it and hears it out, unless it has to be stopped.
Result<Spoken> listen(const LaunchJob& job, const Stop& stop) {
  Result<ProgramProcess> process = ProgramProcess::start(job);
  if (!process) return std::unexpected(process.error());
  Spoken spoken;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Clock::time_point heard = begin;
  for (std::size_t before = 0; process->read_some(spoken.text); before = spoken.text.size()) {
    if (spoken.text.size() > before) heard = Clock::now();
    const auto passed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begin).count();
    spoken.was_silent = job.silence != 0 && Clock::now() - heard > std::chrono::seconds(job.silence);
    spoken.was_stopped =
        !spoken.was_silent &&
        (job.stage == nullptr ? stop.is_asked()
                              : stop.is_asked(job.stage, static_cast<std::uint64_t>(passed), job.milliseconds));
    if (spoken.was_silent || spoken.was_stopped) return spoken;
    pollfd one{process->socket(), POLLIN, 0};
    poll(&one, 1, 100);
  }
  spoken.death = process->death();
  return spoken;
}

}  // namespace

Result<DriverAnswer> launch(const LaunchJob& job, const Stop& stop) {
  const Result<Spoken> spoken = listen(job, stop);
  if (!spoken) return std::unexpected(spoken.error());
  if (spoken->was_stopped) return error("the program was stopped: " + stop.why());
  if (spoken->text.empty()) return error(job.program + " " + spoken->death);
  Result<DriverAnswer> answer = parse_answer(spoken->text);
  if (answer) answer->why_addresses_vary = explore::why_addresses_vary();
  return answer;
}

Result<WorkerEnd> launch_worker(const LaunchJob& job, const Stop& stop) {
  const Result<Spoken> spoken = listen(job, stop);
  if (!spoken) return std::unexpected(spoken.error());
  WorkerEnd end;
  end.answer = parse_cut_answer(spoken->text, end.why);
  end.was_stopped = spoken->was_stopped;
  if (end.was_stopped)
    end.why = stop.why();
  else if (spoken->was_silent)
    end.why = "nothing was heard of it for " + std::to_string(job.silence) + " seconds";
  else if (end.why.empty() && !parse_answer(spoken->text))
    end.why = "it " + spoken->death;
  return end;
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
