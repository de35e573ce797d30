// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions too rare for the hot loop. `r` is the frame's first slot, `constants` the end of the constant pool.
// They are out of line so that the hot loop stays small; each does exactly one instruction, `c`.
#pragma once
#include "interpret/code/values.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

/// Ends the run or leaves a note.
void in_trouble(Core& core, Trouble trouble);
/// Atomic accesses of every kind; false: the thread stops before it.
bool atomic_access(Core& core, const Code& c, Slot* r, const Slot* constants);
void vector_operation(Core& core, const Code& c, Slot* r, const Slot* constants);
void bitcast(Core& core, const Code& c, Slot* r, const Slot* constants);
/// Insert and extract on aggregates and vectors, shuffles.
void move_elements(Core& core, const FunctionCode& function, const Code& c, Slot* r, const Slot* constants);
/// Ends the run unless the assembly does nothing.
void run_assembly(Core& core, const FunctionCode& function, const Code& c);
/// True: the thread stands before the end of local variables that others know.
bool stop_before_return(Core& core, const Thread& thread);

}  // namespace heddle::interpret
