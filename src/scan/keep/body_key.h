// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "base/content_hash.h"
#include "program/model/program.h"

namespace heddle::scan {

/// A hash of what summarising reads of a body itself: instructions, their order and constants, where address arithmetic
/// leads. Unlike Function::hash it does not see the types that arithmetic was written in, so a struct that grows at its
/// end changes no body that only uses the members before. Symbols, names and source types are not in it
/// (summary_store.h).
ContentHash body_key(const Program& program, const Function& function);

}  // namespace heddle::scan
