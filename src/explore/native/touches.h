// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation of a running program touches, as searches want to know it (executor/executor.h).
#pragma once
#include <span>

#include "explore/executor/executor.h"
#include "runtime/heddle_driver.h"

namespace heddle::explore::native {

/// What the operation that the thread stands before will touch, as far as that is known.
Event pending_event(ThreadIndex thread, const heddle_view& view, bool holds_object);
/// What the step did in addition.
void add_touches(Event& event, std::span<const Deed> deeds, bool at_accesses);

}  // namespace heddle::explore::native
