// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle check`: every suspected race of a project is put before the judges.
//
//   load → scan/scan.h → judges → words
//
// With `run`, one of the judges is the program itself (hunt.h).
#pragma once
#include <optional>

#include "base/stop.h"
#include "pipeline/load.h"
#include "pipeline/native/hunt.h"
#include "scan/scan.h"

namespace heddle::pipeline {

struct CheckOptions {
  scan::ScanOptions scan;
  std::uint64_t search_budget = 20'000'000;  ///< interpreted instructions; 0: the program is not searched
  Stop stop;                                 ///< of the scan, with half of the time, and of the search
  std::string schedule_file;                 ///< where the schedule of a confirmed race goes; empty: nowhere
  std::optional<HuntOptions> run = {};       ///< the real program runs, too
};

/// Errors are bad input (exit code 2).
Result<scan::ScanResult> check(const Input& input, const CheckOptions& options, const Tell& tell = {});

}  // namespace heddle::pipeline
