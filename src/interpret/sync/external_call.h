// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that leave the code of the program, in both directions: the program calls a function without a body, and the
// library calls a function of the program (a destructor, an exit handler, the comparison of qsort).
//
// What stands behind a function was decided when the machine was set up (Image::externals): native code, the action of
// its model, a free choice, or nothing, which ends the run as Unsupported.
#pragma once
#include "interpret/core/native_call.h"

namespace heddle::interpret {

/// The running thread's call at `site` of a function without a body. False: the thread stops before it.
bool call_external(Core& core, Thread& thread, const CallCode& site, FunctionId callee);

/// The machine calls a function on the program's behalf. If it has a body, it gets a frame and runs when the hot loop
/// goes on; if not, it is carried out at once. Its result is left in Thread::native_result.
void enter(Core& core, Thread& thread, Address function, std::span<const Slot> arguments);

}  // namespace heddle::interpret
