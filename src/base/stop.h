// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stop: when work ends before it is done: at a limit of time or memory, or because the user wants it. Budgets count
// steps, so that a second run ends at the same place; this here is the outer guard. Who was stopped says so (`why`).
// Who asks also says how far it is, for the person who waits.
//
//   const Stop stop(60, &interrupted);                 Stop{} never stops
//   if (stop.is_asked("analysis", steps, budget)) …    costs a look at the clock: not for every step
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/machine/memory_limit.h"

namespace heddle {

/// How far long work has come. One thread works and writes, another one reads and shows; what it reads of a moment need
/// not fit together.
class Progress {
 public:
  /// `stage`: a literal, "static analysis".
  void tell(const char* stage, std::uint64_t done, std::uint64_t total) {
    stage_.store(stage, std::memory_order_relaxed);
    done_.store(done, std::memory_order_relaxed);
    total_.store(total, std::memory_order_relaxed);
  }

  /// Of work whose end can only be guessed: what was done is counted, and `done` of `total` is an estimate.
  void tell(const char* stage, std::uint64_t done, std::uint64_t total, std::uint64_t count) {
    tell(stage, done, total);
    count_.store(count, std::memory_order_relaxed);
  }

  [[nodiscard]] const char* stage() const { return stage_.load(std::memory_order_relaxed); }  ///< null: not begun
  [[nodiscard]] std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t count() const { return count_.load(std::memory_order_relaxed); }  ///< 0: not counted

 private:
  std::atomic<const char*> stage_ = nullptr;
  std::atomic<std::uint64_t> done_ = 0, total_ = 0, count_ = 0;
};

class Stop {
 public:
  Stop() = default;
  /// 0 seconds: no limit. `interrupted`, `progress` and `memory` may be null.
  explicit Stop(std::uint32_t seconds, const std::atomic<bool>* interrupted = nullptr, Progress* progress = nullptr,
                const MemoryLimit* memory = nullptr)
      : seconds_(seconds), interrupted_(interrupted), progress_(progress), memory_(memory) {
    if (seconds > 0) end_ = Clock::now() + std::chrono::seconds(seconds);
  }

  [[nodiscard]] bool is_asked() const {
    return is_interrupted() || is_over() || (memory_ != nullptr && memory_->is_used_up());
  }
  [[nodiscard]] bool is_asked(const char* stage, std::uint64_t done, std::uint64_t budget) const {
    if (progress_ != nullptr) progress_->tell(stage, done, budget);
    return is_asked();
  }
  void tell(const char* stage, std::uint64_t done, std::uint64_t total, std::uint64_t count) const {
    if (progress_ != nullptr) progress_->tell(stage, done, total, count);
  }
  /// Seconds that are left, at least one; 0: there is no limit.
  [[nodiscard]] std::uint64_t seconds_left() const {
    if (!end_) return 0;
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(*end_ - Clock::now()).count();
    return static_cast<std::uint64_t>(std::max<long>(left, 1));
  }
  /// The same, with half of the time that is left: for a stage that others wait for.
  [[nodiscard]] Stop half() const {
    Stop out = *this;
    if (end_) out.end_ = Clock::now() + (*end_ - Clock::now()) / 2;
    out.is_half_ = true;
    return out;
  }
  /// The same, and no longer than so many seconds from now. `option`: a literal, where the user says how many.
  [[nodiscard]] Stop within(std::uint32_t seconds, const char* option) const {
    Stop out = *this;
    const Clock::time_point end = Clock::now() + std::chrono::seconds(seconds);
    if (out.end_ && *out.end_ <= end) return out;
    out.end_ = end;
    out.seconds_ = seconds;
    out.option_ = option;
    return out;
  }
  /// That may still pass before the time is over, rounded down; at most `most`.
  [[nodiscard]] std::uint32_t seconds_left(std::uint32_t most) const {
    if (!end_) return most;
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(*end_ - Clock::now()).count();
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(left, 0, most));
  }
  /// The same for what is said at the end: the user has to wait for it a little, and for no longer.
  [[nodiscard]] Stop for_last_words() const {
    Stop out = *this;
    out.interrupted_ = nullptr;
    const Clock::time_point soon = Clock::now() + std::chrono::seconds(2);
    if (is_interrupted() || (end_ && *end_ < soon)) out.end_ = soon;
    return out;
  }
  /// For whoever asked and was told to stop.
  [[nodiscard]] std::string why() const {
    if (is_interrupted()) return "it was interrupted";
    if (!is_over() && memory_ != nullptr && memory_->is_used_up()) return memory_->why();
    return (is_half_ ? "its half of the time limit (" : "the time limit (") + std::to_string(seconds_) + " seconds, " +
           option_ + ") was used up";
  }
  /// For whoever met std::bad_alloc.
  [[nodiscard]] std::string why_no_memory() const {
    return memory_ != nullptr && memory_->is_set() ? memory_->why() : "out of memory";
  }
  /// What the stage before has made is gone: its memory can be used again.
  void begin_stage() const {
    if (memory_ != nullptr) memory_->begin_again();
  }

 private:
  using Clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_interrupted() const { return interrupted_ != nullptr && *interrupted_; }
  [[nodiscard]] bool is_over() const { return end_ && Clock::now() >= *end_; }

  std::uint32_t seconds_ = 0;
  const char* option_ = "--timeout";
  bool is_half_ = false;
  std::optional<Clock::time_point> end_;
  const std::atomic<bool>* interrupted_ = nullptr;
  Progress* progress_ = nullptr;
  const MemoryLimit* memory_ = nullptr;
};

}  // namespace heddle
