// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/prepare/capture_progress.h"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "cli/progress_line.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

std::string rate(double per_second) {
  char text[32];
  std::snprintf(text, sizeof text, per_second < 10 ? "%.1f" : "%.0f", per_second);
  return text;
}

}  // namespace

CaptureProgressLine::CaptureProgressLine()
    : is_terminal_(isatty(STDERR_FILENO) != 0),
      next_(began_ + (is_terminal_ ? std::chrono::seconds(0) : std::chrono::seconds(10))) {}

std::string CaptureProgressLine::text(const project::CaptureProgress& progress) const {
  std::string line = "heddle: " + std::to_string(progress.done) + " of " + std::to_string(progress.total) + " units";
  if (progress.failed > 0) line += ", " + std::to_string(progress.failed) + " failed";
  const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  const auto fresh = static_cast<double>(progress.done - progress.unchanged);
  if (fresh > 0 && seconds > 0.5) {
    const double speed = fresh / seconds;
    line += ", " + rate(speed) + " a second, about " +
            duration(static_cast<double>(progress.total - progress.done) / speed) + " left";
  }
  return line + "  " + report::shown(progress.file);
}

void CaptureProgressLine::show(const project::CaptureProgress& progress) {
  if (Clock::now() < next_) return;
  next_ = Clock::now() + (is_terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10'000));
  if (is_terminal_)
    std::cerr << '\r' << text(progress).substr(0, 110) << "\x1b[K" << std::flush;
  else
    std::cerr << text(progress) << '\n';
  is_shown_ = is_terminal_;
}

void CaptureProgressLine::end() {
  if (is_shown_) std::cerr << "\r\x1b[K" << std::flush;
  is_shown_ = false;
}

}  // namespace heddle::cli
