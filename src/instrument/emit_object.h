// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"

namespace heddle::instrument {

/// Code for this machine, as an object file: what clang does at -O0 to modules (always_inline, coroutines), a few
/// passes that keep accesses behind their hooks, code generation of -O1. An error: the module is for another machine,
/// or its assembly is not understood.
Result<std::string> emit_object(llvm::Module& module);

}  // namespace heddle::instrument
