// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/replay_native.h"

#include "base/machine/failure_words.h"
#include "pipeline/instrument.h"
#include "pipeline/native_names.h"

namespace heddle::pipeline {
namespace {

explore::ReplayedRace race_of(const explore::AnsweredRace& found, NativeNames& names) {
  explore::ReplayedRace race;
  race.first = found.accesses[0];
  race.second = found.accesses[1];
  names.name(race.first);
  names.name(race.second);
  race.variable = names.variable(found.variable);
  race.value = found.value;
  race.missing = found.missing;
  race.context_switches = found.switches;
  return race;
}

std::string other_program(const race::Schedule& schedule, const std::string& identity) {
  return "the schedule belongs to another program (or another version of this one, or of heddle): its content is " +
         schedule.program + ", this one's is " + identity + "; run 'heddle explore --schedule' again";
}

}  // namespace

Input input_of(const race::Schedule& schedule) {
  Input input;
  for (const std::string& source : schedule.sources) input.sources.push_back({source, schedule.flags});
  input.project = schedule.project;
  input.program = schedule.target;
  if (!schedule.data_model.empty())
    input.frontend.data_model =
        schedule.data_model == "ILP32" ? frontend::DataModel::Ilp32 : frontend::DataModel::Lp64;
  input.model_files = schedule.models;
  input.profiles = schedule.profiles;
  return input;
}

Result<project::NativeProgram> NativeReplay::build(bool with_tsan) const {
  const std::string folder = with_tsan ? work_.path() + "/tsan" : work_.path();
  return instrument(input_of(schedule_), {.folder = folder, .hook_all = schedule_.hooks_all});
}

Result<std::unique_ptr<NativeReplay>> NativeReplay::prepare(race::Schedule schedule, std::string file,
                                                            NativeReplayOptions options, const Tell& tell) {
  using Ending = race::Schedule::Ending;
  if (schedule.ending != Ending::Race && schedule.ending != Ending::Unordered)
    return error(file + ": a schedule of a real program ends in 'race' or 'unordered'");
  if (schedule.sources.empty() && schedule.project.empty())
    return error(file + ": the schedule names neither sources nor a project");
  const auto driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  std::unique_ptr<NativeReplay> out(new NativeReplay(std::move(schedule), std::move(file), std::move(options)));
  if (out->work_.path().empty()) return error("no folder for the instrumented program: " + failure_words(errno));
  auto program = out->build(false);
  if (!program) return std::unexpected(program.error());
  if (tell) tell(program->notes);
  const std::string identity = project::identity_of(*program);
  if (identity != out->schedule_.program) return error(out->file_ + ": " + other_program(out->schedule_, identity));
  out->driver_ = *driver;
  out->program_ = std::move(*program);
  return out;
}

explore::LaunchJob NativeReplay::job_of(const project::NativeProgram& program) const {
  explore::LaunchJob job;
  job.program = program.program;
  job.accesses = program.table;
  job.arguments = schedule_.arguments;
  if (!schedule_.input.empty()) job.input = schedule_.input;
  job.shows_output = options_.shows_output;
  job.settings["SCHEDULE"] = file_;
  job.settings["THREADS"] = std::to_string(schedule_.max_threads + 1);  // and one for the driver
  return job;
}

Result<explore::DriverAnswer> NativeReplay::start(const explore::LaunchJob& job) {
  auto answer = explore::launch(job, options_.stop);
  if (!answer) return error(file_ + ": " + answer.error().message);
  if (!answer->why_addresses_vary.empty()) why_addresses_vary_ = answer->why_addresses_vary;
  return answer;
}

Result<void> NativeReplay::run_real() {
  const auto answer = start(job_of(program_));
  if (!answer) return std::unexpected(answer.error());
  return {};
}

Result<explore::ReplayedRace> NativeReplay::run() {
  explore::LaunchJob job = job_of(program_);
  job.driver = driver_;
  job.task = "replay";
  job.settings["IDENTITY"] = schedule_.program;
  const auto answer = start(job);
  if (!answer) return std::unexpected(answer.error());
  if (!answer->race) return error(file_ + ": the driver said nothing of a race");
  NativeNames names(answer->modules, program_.program);
  return race_of(*answer->race, names);
}

}  // namespace heddle::pipeline
