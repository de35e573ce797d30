// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block order: in which order a function's blocks are unrolled, so that all that comes to a block is there before it is
// looked at. A weak topological order (Bourdoncle): loops are nested, and everything behind a loop comes behind all of
// its rounds.
//
//   0 → 1 ⇄ 2, 1 → 3        places  0: [0]   1: [1, 0]   2: [1, 1]   3: [2]      loop heads  1
//
// The place of a block in round r of its loop is the same list with r behind the loop's entry: places are compared as
// lists. Cost: linear in edges times the depth of loops.
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::judge::bmc {

struct BlockPlace {
  std::vector<std::uint32_t> path;  ///< its number in the function, then in each loop around it
  std::vector<BlockId> heads;       ///< of these loops, outermost first: one fewer than the path is long
  bool is_reachable = false;
};

/// Of each block.
std::vector<BlockPlace> block_order(const Function& function);

}  // namespace heddle::judge::bmc
