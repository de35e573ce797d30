// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stop: when work ends before it is done: at a time limit, or because the user wants it. Budgets count steps, so that a
// second run ends at the same place; this here is the outer guard. Who was stopped says so (`why`).
//
//   const Stop stop(60, &interrupted);     Stop{} never stops
//   if (stop.is_asked()) …                 costs a look at the clock: not for every step
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace heddle {

class Stop {
 public:
  Stop() = default;
  /// 0 seconds: no limit. `interrupted` may be null.
  explicit Stop(std::uint32_t seconds, const std::atomic<bool>* interrupted = nullptr)
      : seconds_(seconds), interrupted_(interrupted) {
    if (seconds > 0) end_ = Clock::now() + std::chrono::seconds(seconds);
  }

  [[nodiscard]] bool is_asked() const { return is_interrupted() || (end_ && Clock::now() >= *end_); }
  /// The same, with half of the time that is left: for a stage that others wait for.
  [[nodiscard]] Stop half() const {
    Stop out = *this;
    if (end_) out.end_ = Clock::now() + (*end_ - Clock::now()) / 2;
    out.is_half_ = true;
    return out;
  }
  [[nodiscard]] std::string why() const {
    if (is_interrupted()) return "it was interrupted";
    return (is_half_ ? "its half of the time limit (" : "the time limit (") + std::to_string(seconds_) +
           " seconds, --timeout) was used up";
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_interrupted() const { return interrupted_ != nullptr && *interrupted_; }

  std::uint32_t seconds_ = 0;
  bool is_half_ = false;
  std::optional<Clock::time_point> end_;
  const std::atomic<bool>* interrupted_ = nullptr;
};

}  // namespace heddle
