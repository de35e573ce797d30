// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs in processes of their own, so that a compiler that crashes, hangs or eats all memory costs one job. A process is
// a fork of this one: it knows everything the caller knew, takes job numbers until there are no more, and sends back a
// text for each.
//
//   run_in_processes(units.size(), options, [&](std::size_t i) { return capture(units[i]); },
//                    [&](std::size_t i, JobAnswer answer) { … });
//
// Answers come in the order in which jobs end. The caller must be single-threaded or not mind that its other threads do
// not exist in the processes.
#pragma once
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include "base/result.h"

namespace heddle::host {

struct JobAnswer {
  std::string text;   ///< what the job returned
  std::string death;  ///< why there is no text: "was killed by signal 11 (Segmentation fault)"; empty: there is
};

struct ProcessOptions {
  unsigned processes = 1;
  std::chrono::seconds job_limit{900};  ///< then the process is killed; 0: none
  std::function<bool()> stopped;        ///< asked often; true: no more jobs, running ones are killed
  std::function<void()> prepare = {};   ///< called in each process before its first job
};

/// True if every job was answered, false if it was stopped. An error: no process could be started.
Result<bool> run_in_processes(std::size_t jobs, const ProcessOptions& options,
                              const std::function<std::string(std::size_t)>& work,
                              const std::function<void(std::size_t, JobAnswer)>& done);

}  // namespace heddle::host
