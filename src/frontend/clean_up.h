// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a module between clang and the Program: locals become values (sroa), `llvm.expect` and constant
// queries go, dead blocks go, straight lines of blocks become one block. Nothing is speculated: a load stays
// behind its guard, a store stays in its branch. What sroa does to shared memory is all of this: it may copy a struct
// member by member, and read `*(c ? &local : &shared)` in the branch that chose. LLVM's simplifycfg is not used: even
// its mildest setting turns short branches into selects and may read what the program did not read.
#pragma once
#include <llvm/IR/Module.h>

namespace heddle::frontend {

void clean_up(llvm::Module& module);

/// Aliases become what they stand for; computed gotos become switches over numbered labels.
void resolve_aliases(llvm::Module& module);
void lower_computed_gotos(llvm::Module& module);

/// Constant expressions in operands become instructions, those of a phi in the block they come from; indices of
/// address arithmetic get the width of a pointer.
void expand_constant_expressions(llvm::Module& module);

}  // namespace heddle::frontend
