// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/explore.h"

#include <filesystem>

#include "base/content_hash.h"
#include "base/machine/failure_words.h"
#include "explore/launch/search_all.h"
#include "host/work_folder.h"
#include "pipeline/instrument.h"
#include "pipeline/native/native_names.h"
#include "pipeline/native/schedule_seal.h"
#include "race/race_id.h"

namespace heddle::pipeline {

namespace fs = std::filesystem;
namespace {

AccessKind kind_of(const std::string& word) { return word.ends_with("read") ? AccessKind::Read : AccessKind::Write; }

ReportRace race_of(const explore::AnsweredRace& found, NativeNames& names) {
  ReportRace race;
  race.verdict = RaceVerdict::Confirmed;
  race.judge = "explore";
  race.grade = found.schedule.ending == race::Schedule::Ending::Unordered ? "unordered" : "replay";
  race.accesses = found.accesses;
  for (ReportAccess& access : race.accesses) names.name(access);
  race.variable = names.variable(found.variable);
  const bool has_name = !race.variable.starts_with("memory at");
  if (!has_name && !race.accesses.front().path.empty()) race.variable = race.accesses.front().path;
  const std::string steps =
      std::to_string(found.schedule.steps()) + " steps and " + std::to_string(found.switches) + " context switches";
  race.reasons.push_back(found.missing.empty()
                             ? "a run of the program brought both threads to these accesses at once, after " + steps
                             : "in a run of the program neither access happens before the other, after " + steps +
                                   ": " + found.missing);
  if (!found.value.empty()) race.reasons.push_back("the bytes that both touch hold " + found.value + " then");
  const auto side = [&](const ReportAccess& access) {
    return race::IdSide{race.variable, access.function, kind_of(access.kind), 0};
  };
  race.id = race::race_id(side(race.accesses[0]), side(race.accesses[1]));
  return race;
}

explore::LaunchJob job_for(const project::NativeProgram& program, const ExploreOptions& options, std::string driver,
                           std::string identity) {
  explore::LaunchJob job;
  job.program = program.program;
  job.accesses = program.table;
  job.driver = std::move(driver);
  job.arguments = options.arguments;
  job.input = options.standard_input;
  job.shows_output = options.shows_output;
  job.settings["IDENTITY"] = std::move(identity);
  job.settings["EVENTS"] = std::to_string(options.events);
  job.settings["THREADS"] = std::to_string(options.threads + 1);  // and one for the driver
  if (options.steps != 0) job.settings["LONGEST"] = std::to_string(options.steps);
  return job;
}

void note_statistics(const explore::ExhaustResult& result, bool prunes, Explored& out) {
  out.executions = result.statistics.executions;
  out.events = result.statistics.events;
  out.counts = result.counts;
  if (prunes) out.pruning = result.pruning;
}

/// Names the program and all that it is given: a search goes on with nothing else.
std::string state_key(const explore::LaunchJob& job) {
  Hasher hasher;
  for (const std::string& argument : job.arguments) hasher.add(argument);
  hasher.add(project::identity_of(job.input));
  for (const auto& [name, value] : job.settings)
    if (name != "EVENTS" && name != "SIDES") hasher.add(name).add(value);
  return hasher.add(project::identity_of(job.driver)).finish().hex();
}

explore::SearchAllOptions search_options(const ExploreOptions& options, const explore::LaunchJob& job, bool prunes) {
  explore::SearchAllOptions out;
  out.prune = prunes;
  out.finds_all = options.finds_all;
  out.workers = options.workers;
  out.events = options.events;
  out.state_file = options.state_file;
  out.state_key = state_key(job) + (prunes ? " pruned" : "") + (options.finds_all ? " all" : "");
  out.stop = options.stop;
  return out;
}

/// What the hooks could not see.
void note_blind_spots(const project::NativeProgram& program, RaceReport& report) {
  report.assumptions.emplace_back("this-input");
  const instrument::HookCounts& counts = program.counts;
  if (!counts.unknown.empty() || !counts.unsaid.empty() || counts.assembly > 0)
    report.assumptions.emplace_back("code-without-hooks");
}

/// Two accesses without an order that the hooks have seen, which never came together: some library's code may order
/// them.
std::string why_not_unordered(const explore::AnsweredRace& race, const instrument::HookCounts& counts) {
  const bool may_be_ordered = !counts.ordering.empty() || !counts.unknown.empty() || counts.assembly > 0;
  if (race.schedule.ending != race::Schedule::Ending::Unordered || !may_be_ordered) return {};
  const std::string who = !counts.ordering.empty()  ? "'" + counts.ordering.begin()->first + "'"
                          : !counts.unknown.empty() ? "'" + counts.unknown.begin()->first + "'"
                                                    : "inline assembly";
  return "two accesses lack an order (" + race.missing + "), but " + who + ", which has no hooks, may order threads";
}

Result<void> keep_schedule(const Input& input, const ExploreOptions& options, bool tells_ways,
                           race::Schedule schedule) {
  if (options.schedule_file.empty()) return {};
  for (const frontend::Source& source : input.sources) schedule.sources.push_back(source.path);
  if (!input.sources.empty()) schedule.flags = input.sources.front().flags;
  if (input.frontend.data_model)
    schedule.data_model = *input.frontend.data_model == frontend::DataModel::Ilp32 ? "ILP32" : "LP64";
  schedule.models = input.model_files;
  schedule.profiles = input.profiles;
  schedule.is_native = true;
  if (input.sources.empty()) schedule.project = input.project;
  if (input.sources.empty()) schedule.target = input.program;
  schedule.hooks_all = options.hook_all;
  schedule.tells_ways = tells_ways;
  if (options.standard_input != ExploreOptions{}.standard_input) schedule.input = options.standard_input;
  schedule.arguments = options.arguments;
  schedule.max_threads = options.threads;
  schedule.seal = seal_of(schedule);
  return race::write_schedule(options.schedule_file, schedule);
}

}  // namespace

Result<Explored> explore(const Input& input, const ExploreOptions& options, const Tell& tell) {
  const auto driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  const host::WorkFolder folder(options.folder);
  if (folder.path().empty()) return error("no folder for the instrumented program: " + failure_words(errno));
  const auto sides = options.prunes ? write_sides(input, folder.path()) : Result<SidesFile>();
  if (!sides) return std::unexpected(sides.error());
  const bool prunes = options.prunes && sides->obstacle.empty();
  const auto program =
      instrument(input, {.folder = folder.path(), .runtime = {}, .hook_all = options.hook_all, .tell_ways = prunes});
  if (!program) return std::unexpected(program.error());
  if (tell) tell(program->notes);
  explore::LaunchJob job = job_for(*program, options, *driver, project::identity_of(program->program));
  if (prunes) job.settings["SIDES"] = sides->path;
  const Result<explore::SearchedAll> searched = explore::search_all(job, search_options(options, job, prunes));

  Explored out;
  if (options.prunes) out.unpruned = sides->obstacle;
  out.unknown_calls = sides->unknown_calls;
  out.unknown_sides = sides->unknown_sides;
  RaceReport& report = out.report;
  report.coverage.was_run = true;
  report.coverage.tried = report.coverage.parsed = program->units;
  if (!searched) {
    if (!options.state_file.empty() && searched.error().message.starts_with(options.state_file))
      return std::unexpected(searched.error());
    report.obstacles.push_back({"", searched.error().message});
    return out;
  }
  if (tell && !searched->why_addresses_vary.empty()) tell({searched->why_addresses_vary});
  out.was_resumed = searched->was_resumed;
  note_statistics(searched->result, prunes, out);
  note_blind_spots(*program, report);
  NativeNames names(searched->modules, program->program);
  const explore::AnsweredRace* first = nullptr;
  for (const explore::AnsweredRace& one : searched->races) {
    if (const std::string why = why_not_unordered(one, program->counts); !why.empty()) {
      report.obstacles.push_back({"", why});
      continue;
    }
    if (first == nullptr) first = &one;
    report.races.push_back(race_of(one, names));
  }
  if (first != nullptr) {
    report.verdict = Verdict::Race;
    if (auto kept = keep_schedule(input, options, prunes, first->schedule); !kept) return std::unexpected(kept.error());
  } else if (!report.obstacles.empty()) {
    return out;
  } else if (searched->result.proof) {
    report.verdict = Verdict::RaceFree;
    report.exhausted_traces = out.executions;
    if (out.pruning && out.pruning->yes > 0) report.assumptions.emplace_back("defined-elsewhere");
  } else {
    report.obstacles.push_back({"", searched->result.why});
    std::error_code ignored;
    out.is_left = !options.state_file.empty() && fs::exists(options.state_file, ignored);
  }
  return out;
}

Result<std::vector<explore::DriverAnswer>> search_natively(const Input& input, const NativeSearches& wanted) {
  const auto driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  const host::WorkFolder folder("");
  if (folder.path().empty()) return error("no folder for the instrumented program");
  const auto sides = write_sides(input, folder.path());
  if (!sides) return std::unexpected(sides.error());
  const bool tells = sides->obstacle.empty();
  const auto program =
      instrument(input, {.folder = folder.path(), .runtime = {}, .hook_all = wanted.hook_all, .tell_ways = tells});
  if (!program) return std::unexpected(program.error());
  std::vector<explore::DriverAnswer> answers;
  for (const DriverSettings& settings : wanted.searches) {
    explore::LaunchJob job;
    job.program = program->program;
    job.accesses = program->table;
    job.driver = *driver;
    job.arguments = wanted.arguments;
    job.task = "enumerate";
    job.settings = settings;
    if (tells) job.settings["SIDES"] = sides->path;
    auto answer = explore::launch(job, Stop());
    if (!answer) return std::unexpected(answer.error());
    answers.push_back(std::move(*answer));
  }
  return answers;
}

}  // namespace heddle::pipeline
