// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hot loop: one flat switch over decoded instructions (decoded.h). It runs the thread whose turn it is until it
// stops before a visible operation, until `budget` instructions are used up, or until the thread has ended.
//
// `pc` is stored into the frame before each instruction, so whatever an instruction calls sees where it is. An
// instruction that may stop is written so that nothing has changed before it knows: it will run again from its
// beginning. Plain loads and stores are written out here and not taken from Space, since they are most of what programs
// do.
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

/// False: the thread finished.
bool run(Core& core, std::uint64_t budget);

}  // namespace heddle::interpret
