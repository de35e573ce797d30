// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Disjuncts: the states kept apart at one point. States that agree in their locks and in the threads created and joined
// are merged; others stay apart up to a limit, so that `if (pthread_mutex_trylock(&m) == 0)` knows in which branch m is
// held. Beyond the limit the last one takes in what comes. Where many threads were created, which ones is no reason to
// keep states apart: every subset of them would be one.
#pragma once
#include "topdown/memory/memory.h"
#include "topdown/values/site.h"

namespace heddle::topdown {

constexpr std::uint32_t inside_block = 0x40000000;            ///< merge points within a block, behind instruction n
constexpr std::uint32_t at_function_exit = inside_block - 1;  ///< of a function
constexpr std::uint32_t at_function_entry = inside_block - 2;

class Disjuncts {
 public:
  Disjuncts(Memory& memory, std::size_t most, bool merges_pasts)
      : d(memory.d), memory_(memory), absent_(memory.absent()), most_(most), merges_pasts_(merges_pasts) {}

  /// True: the states grew.
  bool add_disjunct(States& states, const State& s, const MergePoint& at);
  /// The one of the states that has taken in `s`, which it may have grown for.
  State& take_in(States& states, const State& s, const MergePoint& at);
  /// Behind an instruction that may have made many states of one.
  void compact(States& states, const Site& site);

 private:
  [[nodiscard]] State merged(State a, State b, const MergePoint& at);
  [[nodiscard]] bool are_kept_apart(const State& a, const State& b) const;

  const Domain& d;
  Memory& memory_;
  Domain::AbsentCell absent_;
  std::size_t most_;
  bool merges_pasts_;  ///< which other threads ran or run is no reason to keep states apart
};

}  // namespace heddle::topdown
