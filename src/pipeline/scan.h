// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle scan`: suspected races of a whole project, ranked; nothing is proved.
//
//   load → (the report of an unchanged program) or scan/scan.h → words
#pragma once
#include "pipeline/load.h"
#include "scan/scan.h"

namespace heddle::pipeline {

struct ScanOptions {
  scan::ScanOptions how;
  bool keep_summaries = true;  ///< of a project: read and write what the scans before kept, in its folder `summaries`
  bool reuse_report = true;    ///< of a project that did not change: its report is not made again
};

/// Errors are bad input (exit code 2).
Result<scan::ScanResult> scan(const Input& input, const ScanOptions& options, const Tell& tell = {});

/// Parts of a captured project that are missing.
void tell_of_gaps(const Loaded& loaded, ReportCoverage& coverage);

/// What a scan says of a project with several programs of which none was chosen.
void tell_of_programs(const Loaded& loaded, std::vector<ReportObstacle>& obstacles);

}  // namespace heddle::pipeline
