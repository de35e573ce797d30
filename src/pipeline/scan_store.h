// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What scans of a captured project keep for the next one, in its folder `summaries`: summaries of functions
// (scan/keep/summary_store.h), and the last report of each program. If the same is asked of the same program, the
// report need not be made again; suppressions, baselines and limits come later and are not part of it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "pipeline/scan.h"
#include "store/record_store.h"

namespace heddle::pipeline {

class ScanStore {
 public:
  ScanStore(const Input& input, const ScanOptions& options, const Loaded& loaded);

  [[nodiscard]] std::optional<RaceReport> report();
  /// The report and what the scan put into records(); adds what this took to its stages.
  void keep(scan::ScanResult& result);

  [[nodiscard]] store::RecordStore& records() { return records_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return records_.notes(); }

 private:
  std::vector<scan::StageCost> stages_;  ///< what the store took
  scan::StageClock clock_;
  bool reuse_report_ = true;
  ContentHash question_;  ///< program and options
  ContentHash content_;   ///< of the program and of models
  store::RecordStore records_;
};

}  // namespace heddle::pipeline
