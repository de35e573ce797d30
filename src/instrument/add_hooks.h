// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// add_hooks: the hooks of a module that was lowered (frontend/lower/lowering.h). Which accesses there are, in which
// order and under which names is read off the Program; the module only gets the calls.
#pragma once
#include <llvm/IR/Module.h>

#include "frontend/lower/lowering.h"
#include "instrument/instrument.h"

namespace heddle::instrument {

/// `names` has the functions and instructions of the Program that `origins` belongs to.
void add_hooks(llvm::Module& module, const frontend::Origins& origins, const Program& names,
               const api::ApiModels& models, const HookOptions& options, AccessTable& accesses, HookCounts& counts);

}  // namespace heddle::instrument
