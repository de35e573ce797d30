// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The locksets of summaries: those of src/locks over symbolic lvalues. Callers may hold a lock several times, so a
// function that gives it back twice takes both holds away. Vague names are the business of lockset_table.cpp.
#pragma once
#include "locks/relative_lockset.h"
#include "scan/names/lvalue.h"

namespace heddle::scan {

using HeldLock = locks::HeldLock<Lvalue>;
using ReleasedLock = locks::ReleasedLock<Lvalue>;
using RelativeLockset = locks::RelativeLockset<Lvalue, locks::Bound::Lower, locks::Reentry::Possible>;

}  // namespace heddle::scan
