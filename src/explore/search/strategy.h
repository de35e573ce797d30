// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which thread runs next, when one run is all there is: cheap schedulers for the first look at a program.
//
//   Sequential   a thread runs until it waits; lowest (or highest) number first
//   RoundRobin   every step another thread
//   Random       uniform, or staying with the running thread most of the time
//   Priorities   random priorities with d points at which the running thread drops behind all others (PCT: Burckhardt
//                et al., ASPLOS 2010); finds a bug of depth d in n threads and k steps with probability 1/(n·k^(d-1))
//                at least
//
// A thread that makes many steps in a row while others could, or that used up its step's instructions, is taken for
// spinning and goes behind the others.
#pragma once
#include <cstdint>
#include <random>
#include <vector>

#include "explore/executor/deed.h"

namespace heddle::explore {

enum class StrategyKind : std::uint8_t { Sequential, Reverse, RoundRobin, Random, Sticky, Priorities };

class Strategy {
 public:
  Strategy(StrategyKind kind, std::uint64_t seed, std::uint32_t depth = 3);

  ThreadIndex pick(const std::vector<ThreadIndex>& enabled, bool last_spun);

 private:
  [[nodiscard]] ThreadIndex next_after(const std::vector<ThreadIndex>& enabled) const;
  ThreadIndex pick_fresh(const std::vector<ThreadIndex>& enabled);
  std::int64_t& priority(ThreadIndex thread);

  StrategyKind kind_;
  std::mt19937_64 random_;
  std::vector<std::int64_t> priorities_;
  std::vector<std::uint64_t> change_points_;
  std::int64_t lowest_ = 0;
  std::uint64_t steps_ = 0;
  std::uint32_t in_a_row_ = 0;
  ThreadIndex last_ = no_thread;
};

}  // namespace heddle::explore
