// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race as its definition has it (DETECTRACE of ATVA08): both threads can make their next step, the steps touch the
// same bytes, one writes, and not both are atomic or inside atomic sections. The machine must stop at plain accesses.
//
//   T1: x = 1;      T2: x = 2;      both stand before their writes: racing_bytes gives the bytes of x
#pragma once
#include <vector>

#include "interpret/machine/machine.h"

namespace heddle::explore {

/// What the thread's next step touches; empty if it is not enabled.
std::vector<interpret::Touch> next_touches(interpret::Machine& machine, interpret::ThreadIndex thread);

/// The bytes on which the next steps of both race, or nothing (size 0).
interpret::Touch racing_bytes(interpret::Machine& machine, interpret::ThreadIndex a, interpret::ThreadIndex b);

}  // namespace heddle::explore
