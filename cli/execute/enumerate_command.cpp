// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/enumerate_command.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "explore/evidence/enumerate.h"
#include "explore/interpreted/interpreted_program.h"
#include "pipeline/explore.h"
#include "pipeline/scan.h"
#include "pipeline/verify.h"

namespace heddle::cli {
namespace {

using Json = nlohmann::ordered_json;

explore::SearchKind kind_of(const std::string& mode) {
  if (mode == "exhaustive") return explore::SearchKind::Exhaustive;
  if (mode == "classic") return explore::SearchKind::Classic;
  return mode == "source" ? explore::SearchKind::Source : explore::SearchKind::Optimal;
}

Json to_json(const explore::Subject& subject, const explore::Enumeration& seen) {
  Json json;
  json["complete"] = seen.statistics.complete;
  json["executions"] = seen.statistics.executions;
  json["sleep_blocked"] = seen.statistics.sleep_blocked;
  json["events"] = seen.statistics.events;
  json["instructions"] = seen.instructions;
  json["traces"] = seen.traces;
  json["digest"] = seen.digest.hex();
  json["had_choices"] = seen.had_choices;
  json["deadlocks"] = seen.deadlocks;
  json["livelocks"] = seen.livelocks;
  const auto places = [&](const auto& race) {
    Json list = Json::array();
    if (race)
      for (const explore::AccessKey access : *race) list.push_back(subject.where(access));
    return list;
  };
  json["race"] = places(seen.race);
  json["weak_race"] = places(seen.weak_race);
  json["adjacent"] = seen.adjacent;
  json["gaps"] = seen.gaps;
  json["checks"] = seen.pruning.checks;
  json["yes"] = seen.pruning.yes;
  json["skipped"] = seen.pruning.skipped;
  json["looks"] = seen.pruning.looks;
  json["threads"] = seen.counts.threads;
  json["variables"] = seen.counts.variables;
  json["accesses"] = seen.counts.accesses;
  json["locks"] = seen.counts.locks;
  return json;
}

const char* word_of(Verdict verdict) {
  return verdict == Verdict::RaceFree ? "race-free" : verdict == Verdict::Race ? "race" : "unknown";
}

/// Pairs of lines that the orders of locks refute.
Json refuted_of(const RaceReport& report) {
  Json out = Json::array();
  for (const ReportRace& race : report.races)
    if (race.proof == "history") out.push_back({race.accesses[0].line, race.accesses[1].line});
  return out;
}

Json to_json(const RaceReport& report) {
  Json json;
  json["verdict"] = word_of(report.verdict);
  json["obstacles"] = report.obstacles.size();
  json["pairs"] = Json::array();
  json["refuted"] = refuted_of(report);
  for (const ReportRace& race : report.races) {
    if (race.verdict == RaceVerdict::Refuted) continue;
    Json sides = Json::array();
    for (const ReportAccess& access : race.accesses) {
      Json lines = Json::array({access.line});
      for (const ReportFrame& frame : access.stack) lines.push_back(frame.line);
      sides.push_back(lines);
    }
    json["pairs"].push_back(sides);
    if (race.verdict == RaceVerdict::Confirmed && !json.contains("confirmed")) json["confirmed"] = race.reasons;
  }
  return json;
}

/// The same words where the program itself was run.
Json to_json(const explore::DriverAnswer& answer) {
  Json json;
  json["executions"] = answer.executions;
  json["events"] = answer.events;
  json["race"] = json["gaps"] = Json::array();
  for (const auto& [name, value] : answer.facts) {
    if (name == "racing")
      json["race"].push_back(value);
    else if (name == "gap")
      json["gaps"].push_back(value);
    else if (name == "complete")
      json[name] = value == "yes";
    else if (name == "digest")
      json[name] = value;
    else if (name != "done")
      json[name] = std::strtoull(value.c_str(), nullptr, 10);
  }
  return json;
}

}  // namespace

EnumerateCommand::EnumerateCommand(CLI::App& app)
    : Command(app, "enumerate", "Count the executions a systematic search visits") {
  input_.declare(subcommand(), InputArguments::Files::Optional);
  subcommand()
      .add_option("--mode", modes_, "one search or several, with commas; none: no search")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"exhaustive", "classic", "source", "optimal", "unpruned", "pruned", "none"}));
  subcommand()
      .add_option("--grain", grains_, "what is a step: a synchronisation, or every access; with commas: both")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"sync", "access"}));
  subcommand().add_option("--budget", budget_, "events of each search");
  subcommand().add_option("--preemptions", preemptions_, "of the exhaustive search: at most so many per execution");
  subcommand().add_option("--search-budget", search_budget_, "as for verify, with --verify");
  subcommand().add_flag("--weakest", weakest_, "waits may end without a signal, try-locks fail without a reason");
  subcommand().add_flag("--verify", verifies_, "also say what verify says, and what scan refutes");
  subcommand().add_flag("--no-static", no_static_, "as for verify, with --verify");
  subcommand()
      .add_option("--without", without_, "as for verify, with --verify; may be repeated")
      ->allow_extra_args(false);
  subcommand().add_flag("--no-races", without_races_, "do not look for races: only count");
  subcommand().add_flag("--until-race", until_race_, "end each search at its first race");
  subcommand().add_flag("--native", native_, "run the program itself");
  subcommand().add_flag("--hook-all", hook_all_, "with --native: hooks for private memory, too");
  subcommand().add_flag("--batch", batch_, "read file names from standard input, one program a line");
  subcommand().group("");  // hidden
}

std::string EnumerateCommand::native_answer(const pipeline::Input& input) const {
  Json json;
  json["file"] = input.sources.front().path;
  pipeline::NativeSearches wanted{.searches = {}, .arguments = {}, .hook_all = hook_all_};
  std::vector<std::string> names;
  for (const std::string& grain : grains_)
    for (const std::string& mode : modes_) {
      names.push_back(grain + " " + mode);
      wanted.searches.push_back({{"SEARCH", mode},
                                 {"AT_ACCESSES", grain == "access" ? "1" : "0"},
                                 {"WEAKEST", weakest_ ? "1" : "0"},
                                 {"UNTIL_RACE", until_race_ ? "1" : "0"},
                                 {"EVENTS", std::to_string(budget_)}});
    }
  const auto answers = pipeline::search_natively(input, wanted);
  if (!answers) {
    json["error"] = answers.error().message;
    return json.dump();
  }
  json["searches"] = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) json["searches"][names[i]] = to_json((*answers)[i]);
  return json.dump();
}

std::string EnumerateCommand::answer(const pipeline::Input& input, const api::ApiModels& models) const {
  if (native_) return native_answer(input);
  Json json;
  json["file"] = input.sources.front().path;
  const Result<pipeline::Loaded> loaded = pipeline::read_input(input);
  if (!loaded) {
    json["error"] = loaded.error().message;
    return json.dump();
  }
  if (verifies_) {
    pipeline::VerifyOptions quick;
    quick.search_budget = search_budget_;
    quick.static_proofs = !no_static_;
    quick.without = {without_.begin(), without_.end()};
    const Result<RaceReport> report = pipeline::verify(input, *loaded, models, quick);
    if (!report) {
      json["error"] = report.error().message;
      return json.dump();
    }
    json["verify"] = to_json(*report);
    json["refuted_by_scan"] = refuted_of(pipeline::scan_program(loaded->program, models, {}, true).report);
  }
  json["searches"] = Json::object();
  const explore::InterpretedProgram subject(loaded->program, models);
  for (const std::string& grain : grains_)
    for (const std::string& mode : modes_) {
      if (mode == "none") continue;
      explore::EnumerateOptions settings;
      settings.kind = kind_of(mode);
      if (mode == "pruned" || mode == "unpruned") settings.prune = mode == "pruned";
      settings.at_accesses = grain == "access";
      settings.weakest = weakest_;
      settings.look_for_races = !without_races_;
      settings.until_race = until_race_;
      settings.event_budget = budget_;
      settings.preemptions = preemptions_;
      const explore::Enumeration seen = explore::enumerate(subject, settings);
      json["searches"][grain + " " + mode] = to_json(subject, seen);
    }
  return json.dump();
}

ExitCode EnumerateCommand::run(const std::vector<std::string>& clang_flags) {
  Result<pipeline::Input> options = input_.input(clang_flags);
  if (options && batch_ == input_.has_files())
    options = error("name the sources of one program, or use --batch and name programs on standard input");
  const Result<api::ApiModels> models = options ? pipeline::load_models(*options) : std::unexpected(options.error());
  if (!models) {
    print_error(models.error().message);
    return ExitCode::BadInput;
  }
  if (!batch_) {
    std::cout << answer(*options, *models) << '\n';
    return ExitCode::Fine;
  }
  for (std::string file; std::getline(std::cin, file);) {
    options->sources = {{file, clang_flags}};
    std::cout << answer(*options, *models) << std::endl;
  }
  return ExitCode::Fine;
}

}  // namespace heddle::cli
