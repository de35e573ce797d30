// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A System (depend/system/system.h) as a scan sees it: its entries as roots, and who can interrupt whom where.
//
//   task  off(3); x = 1; on(3);     x at `x = 1` of task and at `x++` of isr: masked, interrupt 3
//   isr   x++;  (number 3)
//
// Two accesses are apart if for all entries that make them: on one core neither entry interrupts the other, or a mask
// in force at the access of the one that would be interrupted keeps the other out, and nobody else can lift it
// (depend/risk/openings.h); or both hold one lock or critical section. What the other one masks does not matter: it has
// ended before the first goes on. On several cores masks keep nobody out.
#pragma once
#include "depend/system/system.h"
#include "scan/pairs/preemption.h"

namespace heddle::pipeline {

/// `program` and `system` have to outlive what is made.
[[nodiscard]] scan::SystemFacts system_of_scan(const Program& program, const depend::System& system);

}  // namespace heddle::pipeline
