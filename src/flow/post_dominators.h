// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the sides of a branch meet again: the first block that every way from here to the function's return goes
// through.
//
//   if (c) a(); else b(); d();      the block of the branch: the block of d
//   if (c) return; d();             none: the sides meet where the function returns
//
// Ways that never return (endless loops, calls of abort) do not count. Blocks from which all ways are such meet on the
// way to the end that most of them can come to:
//
//   int main() { if (c) a(); d(); pthread_exit(0); }      the block of the branch: the block of d
//
// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the reversed graph; for each end of the second kind
// a walk over the blocks that never return.
#pragma once
#include <vector>

#include "flow/cfg.h"

namespace heddle::flow {

/// By block: its immediate post-dominator; invalid: the sides meet at the return, or nowhere.
std::vector<BlockId> post_dominators(const Function& function, const Cfg& cfg);

}  // namespace heddle::flow
