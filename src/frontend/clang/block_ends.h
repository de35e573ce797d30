// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mark_block_ends: `llvm.lifetime.end` where the block of a local variable ends whose address others may know, so that
// a thread that still uses the variable meets its end. Clang itself marks blocks in optimised code only, at the price
// of branches through common clean-up code.
//
//   { int x; pthread_create(&t, 0, f, &x); /* here */ } pthread_join(t, 0);
//
// Where a block ends is read off the debug information: behind the last instruction of the block that can be reached
// without passing the variable's declaration again. Destructors, which clang places outside of the block, count as
// inside by the variables they work on.
#pragma once
#include <llvm/IR/Module.h>

namespace heddle::frontend {

void mark_block_ends(llvm::Module& module);

}  // namespace heddle::frontend
