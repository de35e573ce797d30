// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From guarded accesses to case files: accesses meet by the object they touch, pairs that separate.h does not separate
// become warnings, one per pair of program locations; what the analysis could not treat becomes an obstacle, and so do
// the pairs that are too many to list.
#pragma once
#include "race/docket.h"
#include "topdown/cases/racing_pairs.h"
#include "topdown/transfer/top_down.h"

namespace heddle::topdown {

/// The accesses of `result` must stay where they are: warnings know them by number.
race::Docket find_cases(const Program& program, const TopDownResult& result, const PairLimits& limits = {});

}  // namespace heddle::topdown
