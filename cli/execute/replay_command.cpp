// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/execute/replay_command.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "cli/interrupt_flag.h"
#include "explore/evidence/replay.h"
#include "explore/interpreted/interpreted_program.h"
#include "pipeline/depend/kept_triples.h"
#include "pipeline/load.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

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
  std::vector<std::string> needed = schedule->sources;
  if (!schedule->project.empty()) needed.push_back(schedule->project);
  if (!schedule->input.empty()) needed.push_back(schedule->input);
  if (!schedule->oil.empty()) needed.push_back(schedule->oil);
  for (const std::string& one : needed)
    if (!std::filesystem::exists(one))
      return error("'" + one + "', which the schedule '" + file +
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

/// Runs it so often from the start; every run must show the same.
Result<std::string> replay_interpreted(Result<race::Schedule> schedule, const std::string& file, std::uint64_t times) {
  const pipeline::Input options = pipeline::input_of(*schedule);
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

/// The same of the real program: each time a process of its own.
Result<std::string> ReplayCommand::replay_native(const race::Schedule& schedule) {
  const InterruptFlag interrupt;
  native_.stop = [this, &interrupt] { return Stop(seconds_, &interrupt.raised()); };
  auto replay = pipeline::NativeReplay::prepare(schedule, file_, native_, print_notes);
  if (!replay) return std::unexpected(replay.error());
  std::string shown;
  Result<explore::ReplayedRace> race = error("no run was asked for");
  for (std::uint64_t i = 0; i < std::max<std::uint64_t>(times_, 1); ++i) {
    race = (*replay)->run();
    if (!race) return std::unexpected(race.error());
    std::string text = text_of(*race, schedule);
    if (i == 0 && !(*replay)->why_addresses_vary().empty()) print_notes({(*replay)->why_addresses_vary()});
    const bool may_differ = !(*replay)->why_addresses_vary().empty();
    if (i > 0 && text != shown && !may_differ) return error(file_ + ": two replays of one schedule differ");
    if (uses_threads_)
      if (const Result<void> reached = (*replay)->run_real(); !reached) return std::unexpected(reached.error());
    shown = std::move(text);
  }
  if (uses_threads_) shown += "with threads of the system: both came to these accesses\n";
  if (uses_tsan_) {
    const Result<std::string> said = (*replay)->run_with_tsan(*race);
    if (!said) return std::unexpected(said.error());
    shown += report::shown_lines(*said);
  }
  if (uses_gdb_) {
    std::cout << std::exchange(shown, {}) << std::flush;
    if (const auto done = (*replay)->run_with_gdb(*race); !done) return std::unexpected(done.error());
  }
  return shown;
}

Result<std::string> ReplayCommand::replay() {
  Result<race::Schedule> schedule = schedule_in(file_);
  if (!schedule) return std::unexpected(schedule.error());
  if (schedule->is_native) return replay_native(*schedule);
  if (uses_threads_ || uses_tsan_ || uses_gdb_)
    return error("--exec, --tsan and --gdb need a schedule of 'heddle explore'; '" + file_ + "' is interpreted");
  const std::uint64_t times = std::max<std::uint64_t>(times_, 1);
  if (schedule->ending == race::Schedule::Ending::Triple) {
    const Result<std::string> shown = pipeline::replay_triple(*schedule, file_, times, print_notes);
    return shown ? report::shown_lines(*shown) : shown;
  }
  return replay_interpreted(std::move(schedule), file_, times);
}

ReplayCommand::ReplayCommand(CLI::App& app)
    : Command(app, "replay", "Run a schedule again and show the race or failure it ends in") {
  subcommand()
      .add_option(
          "FILE", file_,
          "a schedule, as 'heddle verify --schedule FILE', 'heddle explore …' or 'heddle depend --keep' writes it")
      ->required();
  subcommand()
      .add_option("--keep", native_.folder,
                  "of a real program: keep it with its hooks in this folder, for the next time")
      ->option_text("FOLDER");
  subcommand().add_flag("--exec", uses_threads_,
                        "of a real program: once more with threads of the system, which take turns up to the accesses");
  subcommand().add_flag("--tsan", uses_tsan_, "of a real program: once more under ThreadSanitizer, with its report");
  subcommand().add_flag("--gdb", uses_gdb_, "of a real program: gdb, with both threads stopped at their accesses");
  subcommand().add_flag("--trust", native_.is_trusted,
                        "of a real program: run it although the schedule is not one that you have made");
  subcommand()
      .add_option("--timeout", seconds_,
                  "of a real program: each run has so many seconds (default: " + std::to_string(seconds_) + ")")
      ->option_text("SECONDS")
      ->check(check_positive);
  subcommand().add_flag("--show-output", native_.shows_output, "of a real program: let through what it prints");
  subcommand()
      .add_option("--times", times_, "replay so often, each time from the start; all must be the same")
      ->group("");
}

ExitCode ReplayCommand::run(const std::vector<std::string>&) {
  const Result<std::string> shown = replay();
  if (!shown) {
    print_error(shown.error().message);
    return ExitCode::BadInput;
  }
  std::cout << *shown;
  return ExitCode::Races;
}

}  // namespace heddle::cli
