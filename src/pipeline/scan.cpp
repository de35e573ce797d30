// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/scan.h"

#include <algorithm>
#include <optional>

#include "base/build_identity.h"
#include "pipeline/scan_store.h"

namespace heddle::pipeline {

void tell_of_programs(const Loaded& loaded, std::vector<ReportObstacle>& obstacles) {
  if (loaded.programs.size() <= 1) return;
  obstacles.push_back({{},
                       "the project has " + std::to_string(loaded.programs.size()) +
                           " programs and all were taken as one; choose with --program, such as --program " +
                           loaded.programs.front()});
}

void tell_of_gaps(const Loaded& loaded, ReportCoverage& coverage) {
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < std::min(most, loaded.gaps.size()); ++i)
    coverage.blind_spots.push_back({loaded.gaps[i], true});
  if (loaded.gaps.size() > most)
    coverage.blind_spots.push_back(
        {"and " + std::to_string(loaded.gaps.size() - most) + " gaps of this kind more", true});
}

Result<scan::ScanResult> scan(const Input& input, const ScanOptions& options, const Tell& tell) {
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  // what library calls do
  const Result<api::ApiModels> models = load_models(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  // what earlier scans kept
  scan::ScanOptions how = options.how;
  std::optional<ScanStore> store;
  if (options.keep_summaries && loaded->coverage.is_project && !build_identity().empty())
    store.emplace(input, options, *loaded);
  // aliases, summaries, threads, pairs, words; or the report of a program that did not change
  scan::ScanResult result;
  if (std::optional<RaceReport> kept = store ? store->report() : std::nullopt) {
    result.report = std::move(*kept);
  } else {
    if (store) how.records = &store->records();
    result = scan::scan(loaded->program, *models, how);
    if (store && !result.stats.was_stopped) store->keep(result);
  }
  if (store && tell) tell(store->notes());
  result.report.coverage = complete(result.report.coverage, loaded->coverage);
  tell_of_gaps(*loaded, result.report.coverage);
  tell_of_programs(*loaded, result.report.obstacles);
  return result;
}

}  // namespace heddle::pipeline
