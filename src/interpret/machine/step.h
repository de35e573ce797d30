// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of one thread: the visible operation that it stands before, and everything up to the next one. What ends a
// step early comes here as an exception: the run is over, or an atomic section cannot run now.
#pragma once
#include "interpret/core/core.h"
#include "interpret/machine/machine.h"

namespace heddle::interpret {

/// The thread is enabled. See Machine::step.
StepResult run_step(Core& core, ThreadIndex thread, std::uint64_t budget);

}  // namespace heddle::interpret
