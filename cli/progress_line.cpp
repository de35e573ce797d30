// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <system_error>

namespace heddle::cli {

std::string duration(double seconds) {
  const auto whole = static_cast<long>(seconds + 0.5);
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole / 60 % 60) + " min";
}

ProgressLine::ProgressLine() {
  if (isatty(STDERR_FILENO) == 0) return;
  try {
    painter_ = std::thread([this] { show_until_end(); });
  } catch (const std::system_error&) {
    return;  // no thread is to be had: the work matters, the line does not
  }
}

void ProgressLine::end() {
  if (!painter_.joinable()) return;
  {
    const std::lock_guard guard(mutex_);
    is_over_ = true;
  }
  ended_.notify_one();
  painter_.join();
}

void ProgressLine::show_until_end() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  std::unique_lock guard(mutex_);
  bool is_shown = false;
  for (auto pause = std::chrono::milliseconds(1'000); !ended_.wait_for(guard, pause, [this] { return is_over_; });
       pause = std::chrono::milliseconds(200)) {
    const char* stage = progress_.stage();
    if (stage == nullptr) continue;
    const std::uint64_t total = std::max<std::uint64_t>(progress_.total(), 1);
    const auto percent = static_cast<int>(100.0 * static_cast<double>(progress_.done()) / static_cast<double>(total));
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    std::cerr << "\rheddle: " << stage << ", ";
    if (const std::uint64_t count = progress_.count(); count > 0)
      std::cerr << count << " executions, " << static_cast<std::uint64_t>(static_cast<double>(count) / seconds)
                << " a second, about " << std::min(percent, 99) << " % done, ";
    else
      std::cerr << std::min(percent, 100) << " % of its budget, ";
    std::cerr << duration(seconds) << " (Ctrl-C ends it with what is known)\x1b[K" << std::flush;
    is_shown = true;
  }
  if (is_shown) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace heddle::cli
