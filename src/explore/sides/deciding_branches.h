// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DecidingBranches: which branches of a function decide by which edge control comes to a block, and so what a phi there
// is.
//
//   i = 0; while (i < n) { if (c) f(); i++; }      the loop's own branch decides what i is at its head; the branch on c
//                                                  does not: its sides meet inside of the loop, and come from there
//
// Sound: if all ways from a branch to a block go through the place where its sides meet, they take the same edge into
// the block, whatever the branch did; so only branches count that come to the block before they meet, or meet there.
// That holds for any place in between, so it does not matter which ways count for post-dominators. An invoke may be
// left by an exception, which no mark of a branch tells: then all branches count. Cost: for each branch one walk over
// the blocks up to its meeting point.
#pragma once
#include <cstdint>
#include <vector>

#include "program/model/program.h"

namespace heddle::explore {

struct DecidingBranches {
  bool all = false;                     ///< not known which
  std::vector<std::uint32_t> branches;  ///< instructions
};

/// By block.
std::vector<DecidingBranches> deciding_branches(const Function& function);

}  // namespace heddle::explore
