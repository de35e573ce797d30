// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that decide nothing but what some variables hold: until their sides meet again, there is nothing else than
// computing, reading and writing variables.
//
//   if (++ticks % 1000 == 0) seconds++;      if nobody cares for seconds, neither the branch nor ticks matter
//
// No calls, no loops, no masks, no memory that is not a variable, no return. What flows together where the sides meet
// depends on the branch.
#pragma once
#include <functional>
#include <vector>

#include "depend/access/call_graph.h"
#include "depend/system/system.h"

namespace heddle::depend {

struct IdleBranch {
  FunctionId function;
  std::size_t branch = 0;
  std::vector<GlobalId> touched;  ///< on its sides; with those that are stored
  std::vector<GlobalId> stored;
  std::vector<BlockId> blocks;  ///< of its sides, and where they meet
};

/// `variables`: what an instruction may touch; none: memory that is no variable.
using VariablesAt = std::function<const std::vector<GlobalId>&(FunctionId, std::size_t)>;
std::vector<IdleBranch> find_idle_branches(const Program& program, const System& system, const CallGraph& calls,
                                           const VariablesAt& variables);

}  // namespace heddle::depend
