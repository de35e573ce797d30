// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation of the interpreter touches, in the words of a search: memory by chunks of bytes, a synchronisation
// object or a thread as one byte of an object of its own.
//
//   pthread_join(h)        Acquire of thread h's end          x = 1 in a section        Write of x's four bytes
#pragma once
#include <span>

#include "explore/executor/executor.h"
#include "interpret/machine/machine.h"

namespace heddle::explore {

/// What is known of a thread's operation before it runs; a section's accesses are not.
Event pending_event(const interpret::Machine& machine, ThreadIndex thread, bool at_accesses);

/// What a step did beyond its operation. Whatever the clocks take for order has to be a touch.
void add_touches(Event& event, std::span<const interpret::Event> done, bool at_accesses);

/// Plain or atomic access to memory, or the end of some.
bool is_access(const interpret::Event& event);

}  // namespace heddle::explore
