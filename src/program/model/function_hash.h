// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The content hash of a function: what a body says, not where it stands. Two functions with the same hash have the same
// instructions, flags, control flow, machine types (by structure), constants, and refer to the same things by name.
//
//   static int f(int *p) { return *p + 1; }   keeps its hash when lines move, when parameters and locals are renamed,
//                                             and when functions, types, globals or literals come or go elsewhere
//
// What a file-local symbol is called after linking depends on its neighbours, so those count by source name, and
// nameless constants (string literals, initialisers) by their bytes. Linear in the body and the types it mentions.
#pragma once
#include "base/content_hash.h"
#include "program/model/program.h"

namespace heddle {

/// 64 bits, in `low`: hashes are compared between functions of one name only, and unit files hold one for each
/// function.
ContentHash function_hash(const Program& program, const Function& function);

/// Fills Function::hash of every function with a body.
void hash_functions(Program& program);

}  // namespace heddle
