// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race as its definition has it (DETECTRACE of ATVA08): both threads can make their next step, the steps touch the
// same bytes, one writes, and not both are atomic or inside atomic sections. The executor must have the grain of
// accesses.
//
//   T1: x = 1;      T2: x = 2;      both stand before their writes: racing_bytes gives the bytes of x
#pragma once
#include "explore/executor/executor.h"

namespace heddle::explore {

/// A thread in front of its next operation.
struct Approach {
  bool in_section = false;
  std::vector<NextAccess> accesses;
};

Approach approach_of(Executor& executor, ThreadIndex thread);

/// The bytes on which two operations race, or nothing (size 0).
Bytes racing_bytes(const Approach& a, const Approach& b);
Bytes racing_bytes(Executor& executor, ThreadIndex a, ThreadIndex b);

}  // namespace heddle::explore
