// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay_command.h"

#include <filesystem>
#include <iostream>

#include "explore/replay.h"
#include "pipeline/pipeline.h"

namespace heddle::cli {
namespace {

pipeline::Options options_of(const explore::Schedule& schedule) {
  pipeline::Options options;
  for (const std::string& source : schedule.sources) options.sources.push_back({source, schedule.flags});
  if (!schedule.data_model.empty())
    options.frontend.data_model =
        schedule.data_model == "ILP32" ? frontend::DataModel::Ilp32 : frontend::DataModel::Lp64;
  options.model_files = schedule.models;
  return options;
}

Result<explore::ReplayedRace> replay_file(const std::string& file, std::uint64_t& steps) {
  const Result<explore::Schedule> schedule = explore::read_schedule(file);
  if (!schedule) return std::unexpected(schedule.error());
  for (const std::string& source : schedule->sources)
    if (!std::filesystem::exists(source))
      return error("'" + source + "', which the schedule '" + file +
                   "' belongs to, does not exist; run heddle replay in the folder where the schedule was made");
  const pipeline::Options options = options_of(*schedule);
  const Result<api::ApiModels> models = pipeline::load_models(options);
  if (!models) return std::unexpected(models.error());
  const Result<Program> program = pipeline::load(options);
  if (!program) return std::unexpected(program.error());
  steps = schedule->steps();
  Result<explore::ReplayedRace> race = explore::replay(*program, *models, *schedule);
  if (!race) return error(file + ": " + race.error().message);
  return race;
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

}  // namespace

ReplayCommand::ReplayCommand(CLI::App& app)
    : Command(app, "replay", "Run a schedule again and show the race it ends in (interprets the program)") {
  subcommand().add_option("FILE", file_, "a schedule, as 'heddle verify --schedule FILE' writes it")->required();
}

ExitCode ReplayCommand::run(const std::vector<std::string>&) {
  std::uint64_t steps = 0;
  const Result<explore::ReplayedRace> race = replay_file(file_, steps);
  if (!race) {
    print_error(race.error().message);
    return ExitCode::BadInput;
  }
  std::cout << "data race on '" << race->variable << "'";
  if (!race->value.empty()) std::cout << ", which holds " << race->value;
  std::cout << ", after " << steps << " steps and " << race->context_switches << " context switches\n";
  print_access(std::cout, race->first);
  print_access(std::cout, race->second);
  return ExitCode::Races;
}

}  // namespace heddle::cli
