// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

#include "frontend/lower/lowering.h"

namespace heddle::instrument {

/// A module with hooks as code generation needs it. Aliases that lowering took out come back; `main` gets its new name;
/// marks of lifetimes go, since those that the front end added have no begin; so do promises that hold no longer
/// (functions that touch no memory call hooks now); frame pointers stay. A module that cancels threads says so.
void make_runnable(llvm::Module& module, const frontend::Origins& origins);

}  // namespace heddle::instrument
