// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries of all functions, callees first, on several threads (RELAY §4.1). A component of the call graph is ready
// when all components it calls are done, and goes before others if the longest way up lies above it. A recursive
// component is summarised until nothing changes; a large one twice, by several workers at once, and calls backward in
// it hand on no accesses (Limits::component), nor do they in one that has not come to rest after ten times. The result
// does not depend on the number of workers.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/stop.h"
#include "scan/keep/summary_store.h"
#include "scan/summary/function_summary.h"
#include "scan/summary/scan_input.h"

namespace heddle::scan {

struct BottomUpOptions {
  unsigned jobs = 1;
  std::function<void(std::size_t done, std::size_t total)> progress;  ///< called from one worker at a time
  const Stop* stop = nullptr;
  SummaryStore* store = nullptr;  ///< of earlier scans; null: everything is made
  std::uint64_t shuffle = 0;      ///< for tests: another order in which ready components are taken; 0: the usual
};

/// One row per function. Functions that `stop` kept from being summarised are missing.
std::vector<FunctionSummary> summarise_all(const ScanInput& input, const BottomUpOptions& options);

}  // namespace heddle::scan
