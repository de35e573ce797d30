// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses that the source of one unit makes device registers, with what it calls them: casts of a constant to a
// pointer to something volatile, or to a struct with volatile members. The name is that of the innermost macro without
// parameters that the cast comes from (`PORTD`, not `STEP_PORT`, which is defined as it, nor `_SFR_IO8`), else the text
// of the outermost use of a macro with parameters (`GPIO_ODR(GPIOA)`).
#pragma once
#include "frontend/firmware/module_notes.h"

namespace clang {
class ASTContext;
class Preprocessor;
}  // namespace clang

namespace heddle::frontend {

/// Goes through the whole unit, so only if the module has constant addresses.
[[nodiscard]] bool mentions_addresses(const llvm::Module& module);

[[nodiscard]] RegisterNames find_device_registers(clang::ASTContext& ast, clang::Preprocessor& macros);

}  // namespace heddle::frontend
