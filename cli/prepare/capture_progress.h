// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <chrono>
#include <string>

#include "project/capture.h"

namespace heddle::cli {

/// How far a capture is, on standard error: one line that is written over on a terminal, a line every ten seconds
/// elsewhere.
///
///   heddle: 128 of 1929 units, 3.1 a second, about 9 min 40 s left  libavcodec/aacdec.c
class CaptureProgressLine {
 public:
  CaptureProgressLine();
  void show(const project::CaptureProgress& progress);
  /// Clears the line for what comes next.
  void end();

 private:
  [[nodiscard]] std::string text(const project::CaptureProgress& progress) const;

  using Clock = std::chrono::steady_clock;
  bool is_terminal_;
  bool is_shown_ = false;
  Clock::time_point began_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace heddle::cli
