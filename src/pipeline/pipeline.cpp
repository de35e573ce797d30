// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/pipeline.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "api/models/declared_locks.h"
#include "base/build_identity.h"
#include "base/read_file.h"
#include "explore/hunt/judge.h"
#include "pipeline/scan_store.h"
#include "project/load_project.h"
#include "race/build_report.h"
#include "race/warning.h"
#include "topdown/transfer/top_down.h"

namespace heddle::pipeline {

namespace {

/// What a closed program leaves undefined only returns a value.
bool is_closed(const Program& program, const api::ApiModels& models) {
  for (const Function& f : program.functions)
    if (models.marks_closed_program(f.name)) return true;
  return false;
}

/// The interpreter makes an atomic section in one step and shows it where it begins; then the function has to do.
bool is_same_place(const ReportAccess& suspected, const ReportAccess& seen) {
  if (seen.kind.ends_with("section"))
    return suspected.function == seen.function && seen.kind.starts_with(suspected.kind);
  return std::tie(suspected.file, suspected.line, suspected.column, suspected.kind) ==
         std::tie(seen.file, seen.line, seen.column, seen.kind);
}

bool is_same_pair(const ReportRace& suspected, const ReportRace& seen) {
  const auto& a = suspected.accesses;
  const auto& b = seen.accesses;
  return (is_same_place(a[0], b[0]) && is_same_place(a[1], b[1])) ||
         (is_same_place(a[0], b[1]) && is_same_place(a[1], b[0]));
}

/// Every execution was seen: what the static stages suspected or could not treat does not matter any more.
void report_proof(const explore::ExhaustionProof& proof, RaceReport& report) {
  report.verdict = Verdict::RaceFree;
  report.exhausted_traces = proof.traces();
  report.assumptions.assign(proof.assumptions().begin(), proof.assumptions().end());
  report.obstacles.clear();
  for (ReportRace& race : report.races) {
    race.verdict = RaceVerdict::Refuted;
    race.reasons = {"no execution has it: all were looked at"};
  }
}

Result<void> keep_schedule(explore::Schedule schedule, const Options& options, const std::string& file) {
  for (const frontend::Source& source : options.sources) {
    schedule.sources.push_back(source.path);
    schedule.flags = source.flags;
  }
  if (options.frontend.data_model)
    schedule.data_model = *options.frontend.data_model == frontend::DataModel::Ilp32 ? "ILP32" : "LP64";
  schedule.models = options.model_files;
  return explore::write_schedule(file, schedule);
}

/// The schedules of findings go beside that of the race: FILE.1, FILE.2, …
Result<void> report_findings(const explore::Findings& findings, const Options& options, RaceReport& report) {
  for (const explore::Finding& finding : findings.all()) {
    ReportFinding row{finding.ending.kind, finding.ending.what, finding.ending.stack, {}};
    if (finding.schedule && !options.schedule_file.empty()) {
      row.schedule = options.schedule_file + "." + std::to_string(report.also_seen.size() + 1);
      if (Result<void> kept = keep_schedule(*finding.schedule, options, row.schedule); !kept) return kept;
    }
    report.also_seen.push_back(std::move(row));
  }
  return {};
}

Result<Loaded> load_captured(const Options& options) {
  frontend::LoadOptions load;
  load.capture.folder = options.project;
  load.program = options.program;
  auto project = frontend::load_project(load);
  if (!project) return std::unexpected(project.error());
  Loaded loaded{std::move(project->linked.program), {},
                std::move(project->programs),       std::move(project->notes),
                std::move(project->gaps),           project->key};
  const frontend::Coverage& captured = project->coverage;
  ReportCoverage& coverage = loaded.coverage;
  coverage.is_project = true;
  coverage.tried = captured.tried;
  coverage.parsed = captured.parsed;
  for (const frontend::UnitFailure& failure : captured.failed) coverage.failed.push_back(failure.message);
  coverage.skipped = captured.skipped;
  coverage.notes = captured.notes;
  coverage.program = project->program;
  coverage.linked = loaded.program.units.size();
  return loaded;
}

/// What the stages found out about the code joins what is known of the files.
void complete(ReportCoverage& found, const ReportCoverage& read) {
  ReportCoverage all = read;
  all.functions = found.functions;
  all.functions_reached = found.functions_reached;
  all.instructions = found.instructions;
  all.threads = found.threads;
  found = std::move(all);
}

/// The program is too large for the analysis that decides: it stays undecided, and the warnings are those of a scan.
void take_over_scan(const Program& program, const api::ApiModels& models, const Options& options, RaceReport& report) {
  scan::ScanOptions how;
  how.jobs = options.jobs;
  scan::ScanResult scanned = scan::scan(program, models, how);
  report.verdict = Verdict::Unknown;
  report.races = std::move(scanned.report.races);
  report.coverage = std::move(scanned.report.coverage);
  report.obstacles.push_back({{},
                              "the program is too large for the analysis that decides: the suspected races are those "
                              "of a scan, the most suspicious first, and their absence would prove nothing"});
  for (ReportObstacle& obstacle : scanned.report.obstacles) report.obstacles.push_back(std::move(obstacle));
  report.assumptions = std::move(scanned.report.assumptions);
}

/// Runs the program on the interpreter until a race is seen, confirmed and replayed (then the verdict is Race), or
/// until everything was seen.
Result<void> look_for_race(const Loaded& loaded, const api::ApiModels& models, const Options& options,
                           RaceReport& report) {
  explore::JudgeOptions limits;
  limits.find.instruction_budget = options.search_budget;
  explore::SearchVerdict found = explore::judge(loaded.program, models, limits);
  if (Result<void> told = report_findings(found.findings, options, report); !told) return told;
  if (found.proof && loaded.gaps.empty()) report_proof(*found.proof, report);
  if (!found.race && !found.proof && !found.why.empty())
    report.obstacles.push_back({{}, "running it did not decide either: " + found.why});
  if (!found.race) return {};
  explore::Schedule& schedule = found.race->schedule;
  const explore::ReplayedRace& race = found.race->race;
  ReportRace confirmed;
  confirmed.variable = race.variable;
  confirmed.accesses = {race.first, race.second};
  confirmed.id = Hasher().add(explore::to_text(schedule)).finish().hex().substr(0, 12);
  // A warning of the static stages about the same two places has better names: it is that one which is confirmed now.
  const auto suspected =
      std::ranges::find_if(report.races, [&](const ReportRace& r) { return is_same_pair(r, confirmed); });
  if (suspected != report.races.end()) {
    confirmed = *suspected;
    report.races.erase(suspected);
  }
  confirmed.verdict = RaceVerdict::Confirmed;
  const std::string switches = race.context_switches == 1 ? " context switch" : " context switches";
  confirmed.reasons = {"a schedule of " + std::to_string(schedule.steps()) + " steps with " +
                       std::to_string(race.context_switches) + switches + " brings both threads there at once"};
  report.races.insert(report.races.begin(), std::move(confirmed));
  report.verdict = Verdict::Race;
  report.assumptions.emplace_back("sequential-consistency");
  if (options.schedule_file.empty()) return {};
  return keep_schedule(schedule, options, options.schedule_file);
}

}  // namespace

Result<Loaded> read_input(const Options& options) {
  if (options.sources.empty() && !options.project.empty()) return load_captured(options);
  auto program = frontend::read_sources(options.sources, options.frontend);
  if (!program) return std::unexpected(program.error());
  Loaded loaded{std::move(*program), {}, {}, {}, {}};
  loaded.coverage.tried = loaded.coverage.parsed = options.sources.size();
  return loaded;
}

Result<Program> load(const Options& options) {
  auto loaded = read_input(options);
  if (!loaded) return std::unexpected(loaded.error());
  return std::move(loaded->program);
}

Result<void> check_one_program(const Loaded& loaded) {
  if (loaded.programs.empty()) return {};
  std::string names;
  for (const std::string& name : loaded.programs) names += (names.empty() ? "" : ", ") + name;
  return error("the captured project holds several programs; choose one of them with --program NAME: " + names);
}

Result<api::ApiModels> load_models(const Options& options) {
  Result<api::ApiModels> models = api::ApiModels::shipped();
  if (!models) return models;
  for (const std::string& profile : options.profiles)
    if (Result<void> added = models->add_profile(profile); !added) return std::unexpected(added.error());
  for (const std::string& path : options.model_files) {
    const auto text = read_file(path);
    if (!text) return error(path + ": cannot be read");
    if (Result<void> added = models->add_toml(*text, path); !added) return std::unexpected(added.error());
  }
  return models;
}

Result<api::ApiModels> load_models(const Options& options, const Program& program) {
  Result<api::ApiModels> models = load_models(options);
  if (models) models->add_missing(api::declared_locks(program));
  return models;
}

Result<RaceReport> verify(const Options& options, const std::function<void(const std::vector<std::string>&)>& tell) {
  // what library calls do
  Result<api::ApiModels> models = load_models(options);
  if (!models) return std::unexpected(models.error());
  // sources or captured units -> Program; behind this line nothing sees LLVM
  const Result<Loaded> loaded = read_input(options);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  if (auto checked = check_one_program(*loaded); !checked) return std::unexpected(checked.error());
  models->add_missing(api::declared_locks(loaded->program));
  return verify(*loaded, *models, options);
}

Result<RaceReport> verify(const Loaded& loaded, const api::ApiModels& models, const Options& options) {
  const Program& program = loaded.program;
  const FunctionId main = program.find_function("main");
  if (!main || !program.functions[main].has_body())
    return error("no function main with a body in the given files; verify needs a whole program");
  // thread roots, locks, phases, values: one fixpoint over one product domain
  topdown::TopDownOptions limits;
  std::uint64_t instructions = 0;
  for (const Function& f : program.functions) instructions += f.instructions.size();
  limits.step_budget = instructions > options.large_program ? options.large_step_budget : options.step_budget;
  limits.undefined_functions_only_return = is_closed(program, models);
  const topdown::TopDownResult result = topdown::analyse_top_down(program, models, main, limits);
  // pairs of accesses that nothing separates
  std::vector<race::Warning> warnings;
  if (!result.gave_up) warnings = race::find_warnings(result);
  // words and places
  RaceReport report = race::build_report(program, result, warnings);
  if (result.gave_up) take_over_scan(program, models, options, report);
  complete(report.coverage, loaded.coverage);
  for (const std::string& gap : loaded.gaps) report.obstacles.push_back({{}, gap});
  const bool may_prove = options.static_proofs && loaded.gaps.empty();
  if (!may_prove && report.verdict == Verdict::RaceFree) report.verdict = Verdict::Unknown;
  // what is not proved is run
  if (report.verdict == Verdict::Unknown && options.search_budget > 0)
    if (Result<void> looked = look_for_race(loaded, models, options, report); !looked)
      return std::unexpected(looked.error());
  if (report.verdict == Verdict::Race && !loaded.gaps.empty()) report.assumptions.emplace_back("gaps-in-the-capture");
  return report;
}

Result<scan::ScanResult> scan(const Options& options, const scan::ScanOptions& how,
                              const std::function<void(const std::vector<std::string>&)>& tell) {
  const Result<Loaded> loaded = read_input(options);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  const Result<api::ApiModels> models = load_models(options, loaded->program);
  if (!models) return std::unexpected(models.error());
  scan::ScanOptions with_store = how;
  std::optional<ScanStore> store;
  if (options.keep_summaries && loaded->coverage.is_project && !build_identity().empty())
    store.emplace(options, with_store, *loaded);
  scan::ScanResult result;
  if (std::optional<RaceReport> kept = store ? store->report() : std::nullopt) {
    result.report = std::move(*kept);
  } else {
    if (store) with_store.records = &store->records();
    result = scan::scan(loaded->program, *models, with_store);
    if (store) store->keep(result);
  }
  if (store && tell) tell(store->notes());
  complete(result.report.coverage, loaded->coverage);
  if (loaded->programs.size() > 1)
    result.report.obstacles.push_back(
        {{},
         "the project has " + std::to_string(loaded->programs.size()) +
             " programs and all were taken as one; choose with --program, such as --program " +
             loaded->programs.front()});
  return result;
}

}  // namespace heddle::pipeline
