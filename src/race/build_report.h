// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "race/warning.h"
#include "report/race_report.h"

namespace heddle::race {

/// Puts warnings and obstacles into words and places. Coverage of the front end is the caller's.
RaceReport build_report(const Program& program, const topdown::TopDownResult& result,
                        const std::vector<Warning>& warnings);

}  // namespace heddle::race
