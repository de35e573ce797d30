// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/check.h"

#include "pipeline/judges.h"
#include "pipeline/scan.h"
#include "race/build_report.h"

namespace heddle::pipeline {

Result<scan::ScanResult> check(const Input& input, const CheckOptions& options, const Tell& tell) {
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  // what library calls do
  const Result<api::ApiModels> models = load_models(input, loaded->program);
  if (!models) return std::unexpected(models.error());
  // aliases, summaries, threads, pairs; beyond this line only judges add warnings
  scan::ScanOptions how = options.scan;
  how.stop = options.stop.half();
  scan::Scan scan(loaded->program, *models, how);
  race::Docket& docket = scan.docket();
  docket.coverage = complete(docket.coverage, loaded->coverage);
  tell_of_gaps(*loaded, docket.coverage);
  // every judge looks at what is open; only one program with a main can be run
  const bool can_run = loaded->programs.empty() && main_of(loaded->program).valid();
  judge_all(make_judges(loaded->program, *models, {can_run ? options.search_budget : 0, {}, options.stop, {}}), docket,
            scan.evidence(), Until::EveryJudgeWasAsked, options.stop.why_no_memory());
  scan.finish_stage("judges");
  // beyond this line only words
  if (auto kept = keep_schedules(input, options.schedule_file, docket); !kept) return std::unexpected(kept.error());
  scan::ScanResult result;
  result.report = race::build_report(loaded->program, docket, scan.evidence());
  tell_of_programs(*loaded, result.report.obstacles);
  scan.finish_stage("report");
  result.stats = std::move(scan.stats());
  return result;
}

}  // namespace heddle::pipeline
