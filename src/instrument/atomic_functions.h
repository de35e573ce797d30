// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

#include "api/models/api_models.h"

namespace heddle::instrument {

/// Bodies that a profile takes for one atomic section (ApiModels::is_atomic_function) say so when they run. Behind
/// add_hooks: all their accesses lie inside.
void mark_atomic_functions(llvm::Module& module, const api::ApiModels& models);

}  // namespace heddle::instrument
