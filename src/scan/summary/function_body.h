// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FunctionBody: the function that is being summarised, with its control flow. Blocks are known by *rank*, their place
// in reverse post-order: what leads to a block without going around a loop has a lower rank.
//
//   while (more()) { if (odd()) a(); b(); }     Loop: head (the test), body (head, odd, a, b), tails (b)
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "flow/cfg.h"
#include "program/model/program.h"

namespace heddle::scan {

/// A natural loop; blocks by rank.
struct Loop {
  std::uint32_t head = 0;
  std::vector<std::uint32_t> body;   ///< head included; sorted
  std::vector<std::uint32_t> tails;  ///< those that lead back to the head
  [[nodiscard]] bool contains(std::uint32_t rank) const { return std::ranges::binary_search(body, rank); }
};

struct FunctionBody {
  FunctionBody(const Program& program, FunctionId function);

  FunctionId id;
  const Function& function;
  flow::Cfg cfg;
  std::vector<Loop> loops;  ///< one per head, in the order of heads

  [[nodiscard]] std::uint32_t block_count() const { return static_cast<std::uint32_t>(cfg.order.size()); }
  [[nodiscard]] const Block& block(std::uint32_t rank) const { return function.blocks[cfg.order[rank].index()]; }
  [[nodiscard]] const std::vector<BlockId>& successors(std::uint32_t rank) const {
    return cfg.successors[cfg.order[rank].index()];
  }
  /// None outside of loops.
  [[nodiscard]] const Loop* innermost_loop(std::uint32_t rank) const;
  [[nodiscard]] bool is_in_loop(std::uint32_t rank) const { return innermost_loop(rank) != nullptr; }
};

}  // namespace heddle::scan
