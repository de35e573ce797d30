// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens to a module between clang and the Program: locals become values (sroa), `llvm.expect` and constant
// queries go, dead blocks go, straight lines of blocks become one block. Nothing is speculated: a load stays
// behind its guard, a store stays in its branch. What sroa does to shared memory is all of this: it may copy a struct
// member by member, and read `*(c ? &local : &shared)` in the branch that chose. LLVM's simplifycfg is not used: even
// its mildest setting turns short branches into selects and may read what the program did not read.
#pragma once
#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::frontend {

void clean_up(llvm::Module& module);

/// A module that is kept says whether everything of this header was done to it.
void mark_clean(llvm::Module& module);
bool is_marked_clean(const llvm::Module& module);
/// What the module of somebody else says is not believed.
void forget_clean_mark(llvm::Module& module);

/// A symbol that other units may know what `target` holds by.
struct ModuleAlias {
  std::string name;
  llvm::GlobalValue::LinkageTypes linkage = llvm::GlobalValue::ExternalLinkage;
  const llvm::GlobalObject* target = nullptr;
  std::int64_t addend = 0;
};

/// Internal aliases become what they stand for. Others become declarations, for the linker to resolve: another unit may
/// have a stronger definition.
std::vector<ModuleAlias> take_aliases(llvm::Module& module);
/// Computed gotos become switches over numbered labels.
void lower_computed_gotos(llvm::Module& module);

/// Constant expressions in operands become instructions, those of a phi in the block they come from; indices of
/// address arithmetic get the width of a pointer.
void expand_constant_expressions(llvm::Module& module);

}  // namespace heddle::frontend
