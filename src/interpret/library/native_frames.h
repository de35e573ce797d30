// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the machine itself does between calls of program functions: start-up, thread bodies, once, qsort, exit. Each is
// a frame with a phase (its pc), resumed when what it called has returned; so a program function called from here may
// stop anywhere.
//
//   qsort(a, n, 4, less)    the native pushes a Sort frame; resumed: calls less(x, y); less returns; resumed with the
//   order
//                           in Thread::native_result: calls less for the next pair, …; sorted: the frame goes, qsort
//                           returns
#pragma once
#include "interpret/core/core.h"

namespace heddle::interpret {

/// Goes on with the innermost frame, which has no code. False: the thread stops.
bool resume_native(Core& core, Thread& thread);

/// exit(code): functions that were to run at the end, then the end; or quick_exit, which has functions of its own.
void begin_exit(Core& core, Thread& thread, int code, bool is_quick = false);

}  // namespace heddle::interpret
