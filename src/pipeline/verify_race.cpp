// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/verify_race.h"

#include <memory>

#include "pipeline/judges.h"
#include "race/build_report.h"
#include "report/report_reader.h"
#include "scan/scan.h"
#include "topdown/cases/evidence.h"
#include "topdown/cases/find_cases.h"

namespace heddle::pipeline {
namespace {

/// The race that is meant, and the scan that knows it.
struct Meant {
  std::unique_ptr<scan::Scan> scan;
  race::CaseFile warning;
  std::string id;
  std::string words;
};

std::string words_of(const ReportRace& race) {
  const auto side = [](const ReportAccess& a) {
    return a.kind + " at " + a.file + ":" + std::to_string(a.line) + " in " + a.function;
  };
  return "race " + race.id + " on '" + race.variable + "': " + side(race.accesses[0]) + ", " + side(race.accesses[1]);
}

Result<Meant> find_in(std::unique_ptr<scan::Scan> scan, const Program& program, const std::string& id) {
  const RaceReport report = race::build_report(program, scan->docket(), scan->evidence());
  const auto found = report::find_race(report, id);
  if (!found) return std::unexpected(found.error());
  // Nobody has judged yet, so the races stand in the order of the case files.
  const auto number = static_cast<std::size_t>(*found - report.races.data());
  race::CaseFile warning = scan->docket().cases[number];
  return Meant{std::move(scan), std::move(warning), (*found)->id, words_of(**found)};
}

/// Warnings of a scan with the usual assumptions come first, then those of `--sound`.
Result<Meant> find_meant(const Program& program, const api::ApiModels& models, const VerifyOptions& options) {
  scan::ScanOptions how;
  how.jobs = options.jobs;
  auto meant = find_in(std::make_unique<scan::Scan>(program, models, how), program, options.race);
  if (meant) return meant;
  how.assumptions = scan::Assumptions::none();
  auto sound = find_in(std::make_unique<scan::Scan>(program, models, how), program, options.race);
  return sound ? std::move(sound) : std::unexpected(meant.error());
}

}  // namespace

Result<RaceReport> verify_race(const Input& input, const Loaded& loaded, const api::ApiModels& models,
                               const VerifyOptions& options, const Tell& tell) {
  const Program& program = loaded.program;
  const FunctionId main = main_of(program);
  if (!main) return error("no function main with a body in the given files; verify needs a whole program");
  // which two accesses are meant
  const Result<Meant> meant = find_meant(program, models, options);
  if (!meant) return std::unexpected(meant.error());
  if (tell) tell({meant->words});
  // whether they meet, as far as the analysis of the whole program can tell
  const topdown::TopDownResult result =
      topdown::analyse_top_down(program, models, main, limits_for(program, models, options));
  topdown::PairLimits these;
  these.only = meant->warning.warning;
  race::Docket docket = topdown::find_cases(program, result, these);
  topdown::TopDownEvidence evidence(program, result);
  docket.is_exhaustive &= options.static_proofs;
  docket.coverage = complete(docket.coverage, loaded.coverage);
  add_gaps(loaded.gaps, docket);
  race::Evidence* known = &evidence;
  if (docket.cases.empty() && race::verdict_of(docket) != Verdict::RaceFree) {
    docket.cases.push_back(meant->warning);
    known = &meant->scan->evidence();
  }
  // judges look for this race alone; beyond this line only words
  const Judges judges = judges_for(loaded, models, options, meant->warning.warning);
  if (auto kept = decide(judges, input, loaded, options.schedule_file, docket, *known, options.stop); !kept)
    return std::unexpected(kept.error());
  RaceReport report = race::build_report(program, docket, *known);
  report.only_race = meant->id;
  return report;
}

}  // namespace heddle::pipeline
