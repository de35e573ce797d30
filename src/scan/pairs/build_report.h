// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "report/race_report.h"
#include "scan/pairs/candidates.h"

namespace heddle::scan {

/// Puts suspicions into words and places; coverage of the front end is the caller's.
RaceReport build_report(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach,
                        const LockNames& names, const Suspicions& suspicions);

}  // namespace heddle::scan
