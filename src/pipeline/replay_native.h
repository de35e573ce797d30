// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle replay` of a schedule that `heddle explore` wrote: the program is instrumented as it was then, must be the
// same program, and runs the schedule again.
//
//   NativeReplay::prepare   sources or project → the executable; another content than the schedule's is an error
//   run                     under the driver, as explore runs it: both accesses with stacks and the value
//   run_real                with threads and locks of the system, which take turns up to the two accesses and are then
//                           let go at once (runtime/real_threads.c)
//   run_with_tsan           the same of a program that ThreadSanitizer watches, too: its report
//   run_with_gdb            the same under a debugger, which stops when both threads are there
//
// Where the system refuses fixed addresses, a run is told so: operations are followed by their numbers and marked with
// what they are, so a program that goes another way because of its addresses is noticed.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/stop.h"
#include "explore/evidence/replay.h"
#include "explore/launch/launch.h"
#include "host/work_folder.h"
#include "pipeline/load.h"
#include "project/native/build_instrumented.h"

namespace heddle::pipeline {

/// What a schedule says of how its program is made.
Input input_of(const race::Schedule& schedule);

struct NativeReplayOptions {
  std::string folder = {};  ///< for the instrumented program; empty: one that is gone afterwards
  bool shows_output = false;
  bool is_trusted = false;                             ///< although another user's heddle wrote the schedule
  std::function<Stop()> stop = [] { return Stop(); };  ///< of each run
};

class NativeReplay {
 public:
  /// `file`: the schedule's.
  static Result<std::unique_ptr<NativeReplay>> prepare(race::Schedule schedule, std::string file,
                                                       NativeReplayOptions options, const Tell& tell);

  Result<explore::ReplayedRace> run();
  /// An error: it went another way.
  Result<void> run_real();
  /// What ThreadSanitizer said of these two accesses, or that it said nothing. An error: it went another way.
  Result<std::string> run_with_tsan(const explore::ReplayedRace& race);
  /// Until the user has enough of it.
  Result<void> run_with_gdb(const explore::ReplayedRace& race);

  /// Addresses differ from run to run, and why; empty: they do not, as far as is known.
  [[nodiscard]] const std::string& why_addresses_vary() const { return why_addresses_vary_; }

 private:
  NativeReplay(race::Schedule schedule, std::string file, NativeReplayOptions options)
      : schedule_(std::move(schedule)), file_(std::move(file)), options_(std::move(options)), work_(options_.folder) {}

  Result<project::NativeProgram> build(bool with_tsan) const;
  [[nodiscard]] explore::LaunchJob job_of(const project::NativeProgram& program) const;
  Result<explore::DriverAnswer> start(const explore::LaunchJob& job);

  race::Schedule schedule_;
  std::string file_;
  NativeReplayOptions options_;
  host::WorkFolder work_;
  std::string driver_;
  project::NativeProgram program_;
  std::string why_addresses_vary_;
};

}  // namespace heddle::pipeline
