// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <vector>

#include "program/link/link_copy.h"
#include "program/model/program.h"

namespace heddle {

/// The lock annotations of all units in `out`, each once, in the order of what they are about.
void link_annotations(const std::vector<Program>& units, const SymbolIds& ids, Program& out);

}  // namespace heddle
