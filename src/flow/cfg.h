// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a fixpoint needs to know about one function's control flow: an order to visit blocks in, where to widen, and
// which values are still wanted at a block's entry (a state that carries dead values joins slowly and never settles).
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::flow {

struct Cfg {
  std::vector<BlockId> order;       ///< reachable blocks in reverse post-order
  std::vector<std::uint32_t> rank;  ///< position in `order` by block index; none_rank if unreachable
  std::vector<std::vector<BlockId>> successors;
  std::vector<std::vector<BlockId>> predecessors;
  std::vector<bool> is_loop_head;  ///< target of an edge that goes back in the order
  /// By block: the values that are wanted there, ascending; phi results of the block itself are not among them.
  std::vector<std::vector<std::uint32_t>> live_in;

  [[nodiscard]] bool is_live_in(BlockId block, ValueId value) const;

  static constexpr std::uint32_t none_rank = ~0U;
};

/// Liveness costs a number for every value at every block where it is live.
enum class Liveness : std::uint8_t { Compute, Skip };

Cfg build_cfg(const Function& function, Liveness liveness = Liveness::Compute);

}  // namespace heddle::flow
