// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts an instrumented program in a process of its own, under the driver (runtime/driver/), and reads what that says.
// A crash of the program, of its run-time library or of the driver costs that process and nothing else.
//
//   launch({.program = "…/program", .arguments = {"-n", "3"}, .task = "explore"}, stop)
//
// Addresses are the same in every run where the system lets them be (ADDR_NO_RANDOMIZE), else the answer says so. What
// the program prints is thrown away: it would come thousands of times.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stop.h"
#include "explore/launch/answer.h"

namespace heddle::explore {

struct LaunchJob {
  std::string program;                          ///< the executable
  std::string accesses;                         ///< its table (program/names/access_table.h)
  std::string driver;                           ///< the shared object; empty: the program follows a schedule by itself
  std::vector<std::string> arguments;           ///< of the program
  std::string called = {};                      ///< the name it is started by; empty: that of the executable
  std::string task;                             ///< as the driver knows it
  std::map<std::string, std::string> settings;  ///< HEDDLE_…
  std::map<std::string, std::string> variables = {};  ///< of the environment, besides what is there
  std::string input = "/dev/null";                    ///< standard input
  bool shows_output = false;
  const char* stage = nullptr;     ///< what to tell of the progress; null: nothing
  std::uint64_t milliseconds = 0;  ///< that it may take, for the progress
  std::uint32_t silence = 0;       ///< seconds without a word after which it counts as dead; 0: it may be silent
};

/// Of the program: ours with the job's settings.
std::vector<std::string> environment_of(const LaunchJob& job);

/// Errors: it could not be started, it died without an answer, the driver refused.
Result<DriverAnswer> launch(const LaunchJob& job, const Stop& stop);

/// How a worker ended, and what it had said by then.
struct WorkerEnd {
  DriverAnswer answer;
  bool was_stopped = false;  ///< as `stop` asked for
  std::string why;           ///< it did not come to its end: it was stopped, died, or failed; empty: it did
};

/// The same for work of which every finding counts, whatever becomes of the worker. An error: it could not be started.
Result<WorkerEnd> launch_worker(const LaunchJob& job, const Stop& stop);

/// libheddle_driver.so, beside heddle or in ../lib/heddle.
Result<std::string> driver_file();

}  // namespace heddle::explore
