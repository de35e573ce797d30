// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The locksets of summaries: those of src/locks over symbolic lvalues. Callers are taken to hold no lock twice
// (Reentry::None): scan follows no conditions from one branch to the next, and a function that gives back its caller's
// lock in two places does so on different paths. Vague names are the business of lock_flow.cpp.
#pragma once
#include "locks/relative_lockset.h"
#include "scan/names/lvalue.h"

namespace heddle::scan {

using HeldLock = locks::HeldLock<Lvalue>;
using ReleasedLock = locks::ReleasedLock<Lvalue>;
using RelativeLockset = locks::RelativeLockset<Lvalue, locks::Bound::Lower, locks::Reentry::None>;

}  // namespace heddle::scan
