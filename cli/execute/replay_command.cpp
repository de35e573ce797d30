// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/replay_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "base/check.h"
#include "explore/evidence/replay.h"
#include "explore/interpreted/interpreted_program.h"
#include "pipeline/load.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

pipeline::Input options_of(const race::Schedule& schedule) {
  pipeline::Input options;
  for (const std::string& source : schedule.sources) options.sources.push_back({source, schedule.flags});
  if (!schedule.data_model.empty())
    options.frontend.data_model =
        schedule.data_model == "ILP32" ? frontend::DataModel::Ilp32 : frontend::DataModel::Lp64;
  options.model_files = schedule.models;
  options.profiles = schedule.profiles;
  return options;
}

void print_access(std::ostream& out, const ReportAccess& access) {
  out << access.file << ':' << access.line << ':' << access.column << ": " << (access.is_atomic ? "atomic " : "")
      << access.kind << " in " << access.function << ", " << access.thread << '\n';
  out << "  locks held:";
  if (access.locks.empty()) out << " none";
  for (const std::string& lock : access.locks) out << ' ' << lock;
  out << '\n';
  for (const ReportFrame& frame : access.stack)
    out << "  in " << frame.function << " at " << frame.file << ':' << frame.line << ':' << frame.column << '\n';
}

std::string text_of(const explore::ReplayedRace& race, const race::Schedule& schedule) {
  std::ostringstream out;
  out << "data race on '" << race.variable << "'";
  if (!race.value.empty()) out << ", which holds " << race.value;
  out << ", after " << schedule.steps() << " steps and " << race.context_switches << " context switches\n";
  print_access(out, race.first);
  print_access(out, race.second);
  if (!race.missing.empty()) out << "neither happens before the other: " << race.missing << '\n';
  return report::shown_lines(out.str());
}

std::string text_of(const explore::ReplayedEnding& ending, const race::Schedule& schedule) {
  std::ostringstream out;
  out << ending.kind << ": " << ending.what << ", after " << schedule.steps() << " steps";
  if (!ending.thread.empty()) out << ", in " << ending.thread;
  out << '\n';
  for (const ReportFrame& frame : ending.stack)
    out << "  in " << frame.function << " at " << frame.file << ':' << frame.line << ':' << frame.column << '\n';
  return report::shown_lines(out.str());
}

Result<race::Schedule> schedule_in(const std::string& file) {
  Result<race::Schedule> schedule = race::read_schedule(file);
  if (!schedule) return schedule;
  for (const std::string& source : schedule->sources)
    if (!std::filesystem::exists(source))
      return error("'" + source + "', which the schedule '" + file +
                   "' belongs to, does not exist; run heddle replay in the folder where the schedule was made");
  return schedule;
}

/// A race or something else, in words.
Result<std::string> replay_once(const explore::Subject& subject, const race::Schedule& schedule) {
  using Ending = race::Schedule::Ending;
  if (schedule.ending == Ending::Failure || schedule.ending == Ending::Deadlock) {
    const Result<explore::ReplayedEnding> ending = explore::replay_ending(subject, schedule);
    if (!ending) return std::unexpected(ending.error());
    return text_of(*ending, schedule);
  }
  const Result<explore::ReplayedRace> race = explore::replay(subject, schedule);
  if (!race) return std::unexpected(race.error());
  return text_of(*race, schedule);
}

/// Reads the schedule and runs it so often from the start; every run must show the same.
Result<std::string> replay_file(const std::string& file, std::uint64_t times) {
  Result<race::Schedule> schedule = schedule_in(file);
  if (!schedule) return std::unexpected(schedule.error());
  const pipeline::Input options = options_of(*schedule);
  const Result<Program> program = pipeline::load(options);
  if (!program) return std::unexpected(program.error());
  const Result<api::ApiModels> models = pipeline::load_models(options, *program);
  if (!models) return std::unexpected(models.error());
  const explore::InterpretedProgram subject(*program, *models);
  std::string shown;
  for (std::uint64_t i = 0; i < times; ++i) {
    if (i > 0) schedule = schedule_in(file);
    if (!schedule) return std::unexpected(schedule.error());
    Result<std::string> text = replay_once(subject, *schedule);
    if (!text) return error(file + ": " + text.error().message);
    HEDDLE_CHECK(i == 0 || *text == shown, "two replays of one schedule differ");
    shown = std::move(*text);
  }
  return shown;
}

}  // namespace

ReplayCommand::ReplayCommand(CLI::App& app)
    : Command(app, "replay", "Run a schedule again and show the race or failure it ends in (interprets the program)") {
  subcommand().add_option("FILE", file_, "a schedule, as 'heddle verify --schedule FILE' writes it")->required();
  subcommand()
      .add_option("--times", times_, "replay so often, each time from the start; all must be the same")
      ->group("");
}

ExitCode ReplayCommand::run(const std::vector<std::string>&) {
  const Result<std::string> shown = replay_file(file_, std::max<std::uint64_t>(times_, 1));
  if (!shown) {
    print_error(shown.error().message);
    return ExitCode::BadInput;
  }
  std::cout << *shown;
  return ExitCode::Races;
}

}  // namespace heddle::cli
