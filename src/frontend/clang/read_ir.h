// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own files as units: bitcode (.bc) and its text (.ll), of one source or of a whole program (llvm-link, -flto).
//
//   clang-19 -O0 -g -emit-llvm -c a.c -o a.bc;  heddle verify a.bc
//
// What is said of such a unit is said of that code: if an optimiser has been there, accesses of the source may be gone
// or moved.
#pragma once
#include <memory>
#include <string>

#include "frontend/clang/compile.h"

namespace heddle::frontend {

/// Needs a CrashGuard alive: LLVM may crash on damaged files. Then `context` is given up, as by compile_unit.
Result<CompiledUnit> read_ir(const std::string& path, std::unique_ptr<llvm::LLVMContext>& context,
                             bool wants_files = false);

}  // namespace heddle::frontend
