// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tiny concurrent machine for the tests of the searches: threads are lists of operations on variables and locks, so
// that all interleavings can be enumerated.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "explore/executor/executor.h"

namespace heddle::explore::toy {

enum class Kind : std::uint8_t { Read, Write, Update, Lock, Unlock, TryLock, Post, Take, Await, Toss, Spawn, Join };

struct Operation {
  Kind kind = Kind::Read;
  std::uint64_t object = 0;
  std::uint32_t value = 0;  ///< Write, Await: the value; Toss: number of outcomes; Spawn, Join: the thread
};

using Threads = std::vector<std::vector<Operation>>;

/// "r0 w1=5 l0 u0 t0 p0 s0 a1=5 c=3 f1 j1": read, write, lock, unlock, try-lock, post, take, await, toss, fork, join. A
/// read that sees an odd value skips the next operation, so that control depends on the schedule ("R").
Threads parse(const std::vector<std::string>& threads);

class ToyExecutor final : public Executor {
 public:
  explicit ToyExecutor(Threads threads) : threads_(std::move(threads)) { ToyExecutor::restart(); }

  void restart() override;
  void rewind(std::size_t length) override;
  [[nodiscard]] std::vector<ThreadIndex> enabled() const override;
  [[nodiscard]] std::vector<Event> blocked() const override;
  Event step(ThreadIndex thread, std::uint32_t choice) override;
  [[nodiscard]] bool stopped() const override { return false; }

 private:
  [[nodiscard]] bool finished(ThreadIndex t) const { return at_[t] >= threads_[t].size(); }
  [[nodiscard]] bool can_run(ThreadIndex t) const;
  [[nodiscard]] Event describe(ThreadIndex t) const;
  void perform(ThreadIndex t, const Operation& operation);

  Threads threads_;
  std::vector<std::size_t> at_;
  std::vector<bool> started_;
  std::map<std::uint64_t, std::uint32_t> variables_, semaphores_;
  std::map<std::uint64_t, ThreadIndex> owner_;
  std::vector<Event> path_;
};

}  // namespace heddle::explore::toy
