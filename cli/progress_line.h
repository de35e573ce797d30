// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far a long command is: one line on a terminal that is written over, nothing elsewhere. It appears when the work
// takes longer than a moment, and is gone before the report is written.
//
//   heddle: static analysis, 34 % of its budget, 12 s (Ctrl-C ends it with what is known)
//   heddle: all executions, 61440 executions, 5105 a second, about 34 % done, 12 s (Ctrl-C …)
#pragma once
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/stop.h"

namespace heddle::cli {

/// `9 min 40 s`
std::string duration(double seconds);

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { end(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// For those who work.
  [[nodiscard]] Progress& progress() { return progress_; }
  /// Clears the line for what comes next.
  void end();

 private:
  void show_until_end();

  Progress progress_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::thread painter_;
};

}  // namespace heddle::cli
