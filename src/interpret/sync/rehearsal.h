// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A native reads and writes memory of the program too: scanf("%d", &shared). Where plain accesses are scheduling
// points, such a call is one access to the scheduler. What it will touch is found by carrying it out and taking it
// back; choices are zero meanwhile.
#pragma once
#include "interpret/core/native_call.h"

namespace heddle::interpret {

/// True: the native's accesses are a scheduling point, and the running thread stands before them.
bool stop_before_native(NativeCall call, Native native);

}  // namespace heddle::interpret
