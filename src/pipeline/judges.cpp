// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/judges.h"

#include <new>

#include "judge/bmc/bmc_judge.h"
#include "judge/explore/search_judge.h"
#include "judge/history/history_judge.h"
#include "judge/transaction/transaction_judge.h"
#include "judge/values/values_judge.h"
#include "pipeline/native/schedule_seal.h"

namespace heddle::pipeline {
namespace {

Result<void> keep_schedule(race::Schedule schedule, const Input& input, const std::string& file) {
  for (const frontend::Source& source : input.sources) {
    schedule.sources.push_back(source.path);
    schedule.flags = source.flags;
  }
  if (input.frontend.data_model)
    schedule.data_model = *input.frontend.data_model == frontend::DataModel::Ilp32 ? "ILP32" : "LP64";
  schedule.models = input.model_files;
  schedule.profiles = input.profiles;
  if (schedule.is_native) {
    if (input.sources.empty()) schedule.project = input.project;
    if (input.sources.empty()) schedule.target = input.program;
    schedule.seal = seal_of(schedule);
  }
  return race::write_schedule(file, schedule);
}

}  // namespace

Judges make_judges(const Program& program, const api::ApiModels& models, const JudgeOptions& options) {
  Judges judges;
  if (options.history_without) judges.push_back(std::make_unique<judge::HistoryJudge>(*options.history_without));
  if (options.values)
    judges.push_back(std::make_unique<judge::ValuesJudge>(program, models, main_of(program), *options.values));
  if (options.transactions)
    judges.push_back(
        std::make_unique<judge::TransactionJudge>(program, models, main_of(program), *options.transactions));
  if (options.search_budget > 0)
    judges.push_back(std::make_unique<judge::SearchJudge>(
        program, models,
        judge::SearchJudgeOptions{options.search_budget, options.without, options.stop, options.only}));
  if (options.bounded && !options.only)
    judges.push_back(std::make_unique<judge::BmcJudge>(
        program, models, main_of(program), judge::BmcJudgeOptions{.patience = options.patience, .stop = options.stop}));
  if (options.hunt) judges.push_back(std::make_unique<judge::RunJudge>(program, options.hunt));
  return judges;
}

void judge_all(const Judges& judges, race::Docket& docket, race::Evidence& evidence, Until until,
               const std::string& no_memory) {
  for (const std::unique_ptr<race::Judge>& judge : judges) {
    if (until == Until::TheProgramIsDecided && race::verdict_of(docket) != Verdict::Unknown) return;
    try {
      judge->judge(docket, evidence);
    } catch (const std::bad_alloc&) {
      docket.obstacles.push_back({race::Obstacle::Kind::Judge, {}, "running it did not decide either: " + no_memory});
    }
  }
}

Result<void> decide(const Judges& judges, const Input& input, const Loaded& loaded, const std::string& schedule_file,
                    race::Docket& docket, race::Evidence& evidence, const Stop& stop) {
  judge_all(judges, docket, evidence, Until::TheProgramIsDecided, stop.why_no_memory());
  if (race::verdict_of(docket) == Verdict::Race && !loaded.gaps.empty()) docket.assume("gaps-in-the-capture");
  return keep_schedules(input, schedule_file, docket);
}

void add_gaps(const std::vector<std::string>& gaps, race::Docket& docket) {
  for (const std::string& gap : gaps) docket.obstacles.push_back({race::Obstacle::Kind::Gap, {}, gap});
}

Result<void> keep_schedules(const Input& input, const std::string& file, race::Docket& docket) {
  if (file.empty()) return {};
  for (std::size_t i = 0; i < docket.findings.size(); ++i) {
    race::Finding& finding = docket.findings[i];
    if (!finding.schedule) continue;
    finding.words.schedule = file + "." + std::to_string(i + 1);
    if (auto kept = keep_schedule(*finding.schedule, input, finding.words.schedule); !kept) return kept;
  }
  for (const race::CaseFile& one : docket.cases)
    if (const auto* confirmed = one.find<race::Confirmed>()) return keep_schedule(confirmed->schedule, input, file);
  return {};
}

Result<void> keep_further_schedules(const Input& input, const std::string& file, const race::Docket& docket,
                                    const RaceReport& report) {
  if (file.empty()) return {};
  std::size_t number = 0;  // the report begins with the confirmed cases, in their order
  for (const race::CaseFile& one : docket.cases) {
    const auto* confirmed = one.find<race::Confirmed>();
    if (confirmed == nullptr || number++ == 0) continue;
    const std::string& id = report.races[number - 1].id;
    if (auto kept = keep_schedule(confirmed->schedule, input, file + "." + id); !kept) return kept;
  }
  return {};
}

}  // namespace heddle::pipeline
