// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/check.h"

#include "pipeline/instrument.h"
#include "pipeline/judges.h"
#include "pipeline/scan.h"
#include "pipeline/verify.h"
#include "race/build_report.h"

namespace heddle::pipeline {

namespace {

/// The program with hooks, and the judge's way to it. Null: it is not to be run.
Result<std::unique_ptr<NativeHunt>> prepare_run(const Input& input, const CheckOptions& options, const Tell& tell) {
  if (!options.run) return nullptr;
  auto hunt = NativeHunt::prepare(*options.run,
                                  [&](const std::string& folder) { return instrument(input, {.folder = folder}); });
  if (hunt && tell) tell((*hunt)->notes());
  return hunt;
}

/// Half of the time is for what comes behind it.
JudgeOptions judge_options(const CheckOptions& options, bool can_run, const NativeHunt* hunt) {
  JudgeOptions out{can_run ? options.search_budget : 0, {}, hunt == nullptr ? options.stop : options.stop.half(), {}};
  out.history_without = history_of_scan(options.scan);
  if (hunt != nullptr)
    out.hunt = [hunt, stop = options.stop](const auto& pairs) { return hunt->look_for(pairs, stop); };
  return out;
}

}  // namespace

Result<scan::ScanResult> check(const Input& input, const CheckOptions& options, const Tell& tell) {
  // the program with hooks, if it is to be run: whatever is wrong with that is told before a long scan
  const Result<std::unique_ptr<NativeHunt>> hunt = prepare_run(input, options, tell);
  if (!hunt) return std::unexpected(hunt.error());
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  // what library calls do, and who can interrupt whom
  const auto known = ScanModels::load(input, loaded->program);
  if (!known) return std::unexpected(known.error());
  const api::ApiModels& models = (*known)->models;
  // aliases, summaries, threads, pairs; beyond this line only judges add warnings
  scan::ScanOptions how = options.scan;
  how.stop = options.stop.half();
  how.system = (*known)->facts();
  scan::Scan scan(loaded->program, models, how);
  race::Docket& docket = scan.docket();
  docket.coverage = complete(docket.coverage, loaded->coverage);
  tell_of_gaps(*loaded, docket.coverage);
  // every judge looks at what is open; only one program with a main can be run
  const bool can_run = loaded->programs.empty() && main_of(loaded->program).valid();
  JudgeOptions judges = judge_options(options, can_run, hunt->get());
  if (is_whole(*loaded, **known)) {
    judges.values = values_of_scan(loaded->program, models, how, VerifyOptions{}.large_step_budget);
    judges.transactions = transactions_of_scan(how);
  }
  judge_all(make_judges(loaded->program, models, judges), docket, scan.evidence(), Until::EveryJudgeWasAsked,
            options.stop.why_no_memory());
  scan.place_covered_cases();
  scan.finish_stage("judges");
  // beyond this line only words
  if (auto kept = keep_schedules(input, options.schedule_file, docket); !kept) return std::unexpected(kept.error());
  scan::ScanResult result;
  result.report = race::build_report(loaded->program, docket, scan.evidence());
  if (auto kept = keep_further_schedules(input, options.schedule_file, docket, result.report); !kept)
    return std::unexpected(kept.error());
  tell_of_programs(*loaded, result.report.obstacles);
  scan.finish_stage("report");
  result.stats = std::move(scan.stats());
  return result;
}

}  // namespace heddle::pipeline
