// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// heddle scan: races in programs of any size, after RELAY. In order:
//
//   alias classes, call targets          call_targets.h
//   summaries, callees first             bottom_up.h, summarise.h, function_summary.h
//   threads and their phases, top-down   reach.h
//   pairs that nothing separates         candidates.h
//
// It ends with case files (race/docket.h). It finds candidates, it proves nothing: every place where it looks away is
// an assumption with a name (docs/assumptions.md), and the report lists them all. Cost: a few microseconds an
// instruction.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "base/stage_clock.h"
#include "base/stop.h"
#include "program/model/program.h"
#include "race/docket.h"
#include "race/evidence.h"
#include "scan/calls/assumptions.h"
#include "scan/cases/covers.h"
#include "scan/pairs/candidates.h"
#include "scan/shared/shared_variables.h"
#include "scan/summary/scan_input.h"
#include "store/record_store.h"

namespace heddle::scan {

struct ScanOptions {
  unsigned jobs = 1;
  Assumptions assumptions;
  Limits limits;
  CandidateOptions candidates;
  CoverBy cover = CoverBy::History;
  bool histories = true;     ///< the judge `history` is asked about the suspected races
  bool values = true;        ///< the judge `values` is, where the program is a whole one and not too large
  bool transactions = true;  ///< the judge `transaction` is, under the same conditions
  std::function<void(const std::string& stage, std::size_t done, std::size_t total)> progress;
  Stop stop;                              ///< then what is not done yet is missing, and a blind spot says so
  store::RecordStore* records = nullptr;  ///< of earlier scans, for summaries; null: all are made
  std::uint64_t shuffle = 0;              ///< see BottomUpOptions
  const SystemFacts* system = nullptr;    ///< of tasks and interrupts; null: the entries are threads as any others
};

/// For `--stats`: what each stage took, and what the filters leave.
struct ScanStats {
  std::vector<StageCost> stages;
  std::uint64_t functions = 0, functions_reached = 0, instructions = 0, roots = 0;
  std::uint64_t summary_accesses = 0, summary_nodes = 0;
  bool was_stopped = false;            ///< before it was done
  std::uint64_t summaries_reused = 0;  ///< functions whose summaries the store had
  CandidateStats candidates;
};

/// A scan with everything its case files rest on, so that judges can ask for evidence.
class Scan {
 public:
  /// Runs all stages. `program` and `models` must outlive it.
  Scan(const Program& program, const api::ApiModels& models, const ScanOptions& options);
  ~Scan();
  Scan(const Scan&) = delete;
  Scan& operator=(const Scan&) = delete;

  [[nodiscard]] race::Docket& docket() { return docket_; }
  [[nodiscard]] race::Evidence& evidence();
  [[nodiscard]] ScanStats& stats() { return stats_; }
  /// When the judges were asked: puts suspected races that others cover behind those.
  void place_covered_cases();
  /// What a summary says, for `heddle ir --summaries`.
  [[nodiscard]] const std::vector<FunctionSummary>& summaries() const;
  /// For `heddle scan --shared`.
  [[nodiscard]] SharedVariables shared_variables() const;
  /// The time since the last stage counts as this one's.
  void finish_stage(const char* stage) { clock_.finish(stage); }

 private:
  struct Stages;
  /// How often an assumption was used; it is not listed if it was not.
  void list_count(std::string_view name, std::uint64_t count, const std::string& one, const std::string& many);
  /// … by functions that are reached.
  void list_users(std::string_view name, bool FunctionSummary::* is_user);

  ScanStats stats_;
  StageClock clock_;
  std::unique_ptr<Stages> stages_;
  race::Docket docket_;
};

struct ScanResult {
  RaceReport report;
  ScanStats stats;
};

/// A scan and its report, for callers that ask nothing more.
ScanResult scan(const Program& program, const api::ApiModels& models, const ScanOptions& options);

}  // namespace heddle::scan
