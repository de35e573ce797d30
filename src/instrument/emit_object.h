// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

#include <string>

#include "base/result.h"

namespace heddle::instrument {

/// Code for this machine, as an object file: what clang does at -O0 to modules (always_inline, coroutines), then code
/// generation of -O1. `with_tsan`: with ThreadSanitizer's calls, each of them behind the hook of its access. More
/// passes in between (instcombine, early-cse) did not make pigz measurably faster. An error: the module is for another
/// machine, or its assembly is not understood.
Result<std::string> emit_object(llvm::Module& module, bool with_tsan = false);

}  // namespace heddle::instrument
