// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan did not look at, for the first lines of its report. That no race is suspected says little while a thread
// or an access may be hidden in one of these.
//
//   (*p->run)(p)               nobody is known whom it reaches
//   uv_thread_create(t, f, a)  a function is handed to one without a body and without a model: does it start threads?
//   spawn()                    calls pthread_create, but nothing calls spawn, and no other thread is started
//
// Functions that nobody calls are only counted (ReportCoverage). Linear in the program.
#pragma once
#include <vector>

#include "report/race_report.h"
#include "scan/reach/reach.h"

namespace heddle::scan {

/// The functions that a library without main offers to others.
[[nodiscard]] std::vector<threads::OutsideEntry> exported_entries(const Program& program);

[[nodiscard]] std::vector<ReportBlindSpot> find_blind_spots(const ScanInput& input, const Reach& reach);

}  // namespace heddle::scan
