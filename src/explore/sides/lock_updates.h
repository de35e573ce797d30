// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra of LockUpdate: one piece of code behind another, and two ways that meet.
#pragma once
#include "explore/executor/other_sides.h"

namespace heddle::explore {

void acquire(LockUpdate& state, const LockName& lock);
void release(LockUpdate& state, const LockName& lock);
void release_region(LockUpdate& state, Region region);
void release_anything(LockUpdate& state);
/// `next` comes behind `state`.
void append(LockUpdate& state, const LockUpdate& next);
/// Either of the two. True if `into` changed.
bool meet(LockUpdate& into, const LockUpdate& other);

}  // namespace heddle::explore
