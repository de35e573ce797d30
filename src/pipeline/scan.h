// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle scan`: suspected races of a whole project, ranked; of these the orders of locks refute some, and of a small
// program the analysis that decides.
//
//   load → (the report of an unchanged program) or scan/scan.h → the judges `history` and `values` → words
//   load → scan/scan.h → scan/shared/                                           with --shared
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "depend/system/system.h"
#include "judge/transaction/transaction_judge.h"
#include "pipeline/load.h"
#include "scan/scan.h"
#include "scan/shared/shared_words.h"
#include "topdown/transfer/top_down.h"

namespace heddle::pipeline {

struct ScanOptions {
  scan::ScanOptions how;
  bool keep_summaries = true;  ///< of a project: read and write what the scans before kept, in its folder `summaries`
  bool reuse_report = true;    ///< of a project that did not change: its report is not made again
};

/// What a scan knows beside the program: models, and the system of tasks and interrupts where heddle.toml describes one
/// or the profile `firmware` was asked for. A system that is described is read as `heddle depend` reads it, with that
/// profile; code of the kernel, which runs on several processors, has one only if there is a table [system].
struct ScanModels {
  api::ApiModels models;
  std::vector<std::string> profiles;          ///< all that were read
  std::optional<depend::OilSystem> oil;       ///< of the system
  std::optional<depend::System> system;       ///< none: entries are threads as any others
  std::optional<scan::SystemFacts> for_scan;  ///< of the system

  /// Errors are bad input, also of the system.
  static Result<std::unique_ptr<const ScanModels>> load(const Input& input, const Program& program);
  [[nodiscard]] const scan::SystemFacts* facts() const { return for_scan ? &*for_scan : nullptr; }
};

/// Of a program that is there: suspected races, of which judges settle some, and words. `is_whole`: nothing is missing,
/// and nothing runs besides what main starts.
[[nodiscard]] scan::ScanResult scan_program(const Program& program, const api::ApiModels& models,
                                            const scan::ScanOptions& how, bool is_whole = false);

/// Whether that holds.
[[nodiscard]] bool is_whole(const Loaded& loaded, const ScanModels& models);

/// For JudgeOptions: how far the analysis that decides goes beside a scan of a whole program. None: it is not asked.
[[nodiscard]] std::optional<topdown::TopDownOptions> values_of_scan(const Program& program,
                                                                    const api::ApiModels& models,
                                                                    const scan::ScanOptions& how, std::uint64_t steps);
/// The same for the judge that looks at all threads together.
[[nodiscard]] std::optional<judge::TransactionOptions> transactions_of_scan(const scan::ScanOptions& how);

/// Errors are bad input (exit code 2).
Result<scan::ScanResult> scan(const Input& input, const ScanOptions& options, const Tell& tell = {});

struct SharedOptions {
  scan::ScanOptions how;
  scan::Listed listed = scan::Listed::Shared;
  bool as_json = false;
};

struct SharedList {
  std::string text;       ///< in the format that was asked for
  std::string last_line;  ///< how many there are
  bool may_hide = false;  ///< none was found, and there is something that the scan did not look at
};

/// `heddle scan --shared`: the shared variables of a program, with what makes each of them shared.
Result<SharedList> list_shared(const Input& input, const SharedOptions& options, const Tell& tell = {});

/// For JudgeOptions: the assumptions that a scan may not make it does not use.
[[nodiscard]] std::optional<std::set<std::string>> history_of_scan(const scan::ScanOptions& how);

/// Parts of a captured project that are missing.
void tell_of_gaps(const Loaded& loaded, ReportCoverage& coverage);

/// What a scan says of a project with several programs of which none was chosen.
void tell_of_programs(const Loaded& loaded, std::vector<ReportObstacle>& obstacles);

}  // namespace heddle::pipeline
