// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <memory>
#include <vector>

#include "frontend/compile.h"

namespace heddle::frontend {

/// One module out of several, as a linker would: strong beats weak, internal symbols of the same name stay apart. Fails
/// on symbols defined twice, and on functions that have source text but no body in any unit.
Result<std::unique_ptr<llvm::Module>> link_units(std::vector<CompiledUnit> units, llvm::LLVMContext& context);

}  // namespace heddle::frontend
