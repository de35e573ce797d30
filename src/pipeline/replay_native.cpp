// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/replay_native.h"

#include <algorithm>
#include <filesystem>

#include "base/machine/failure_words.h"
#include "base/read_file.h"
#include "explore/launch/debug.h"
#include "frontend/clang/toolchain.h"
#include "host/program_file.h"
#include "pipeline/instrument.h"
#include "pipeline/native/native_names.h"
#include "pipeline/native/schedule_seal.h"

namespace heddle::pipeline {
namespace {

explore::ReplayedRace named_race(const explore::AnsweredRace& found, NativeNames& names) {
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

/// Beside our clang, else whatever PATH has.
std::string symbolizer() {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::path beside = fs::path(frontend::clang_executable()).parent_path() / "llvm-symbolizer";
  if (fs::exists(beside, failure)) return beside.string();
  return host::program_file("llvm-symbolizer", "").string();
}

/// By its place; code that the compiler made has none, and there the function has to do.
bool tells_of(const std::string& report, const ReportAccess& access) {
  const std::string file = std::filesystem::path(access.file).filename().string();
  return report.contains(file + ":" + std::to_string(access.line) + ":") ||
         report.contains("#0 " + access.function + " ");
}

/// Without the frames of our own library, and with files called as everywhere else.
std::string told_to_users(const std::string& report, const explore::ReplayedRace& race) {
  std::string out;
  for (std::size_t at = 0; at < report.size();) {
    const std::size_t end = std::min(report.find('\n', at), report.size() - 1) + 1;
    std::string line = report.substr(at, end - at);
    at = end;
    if (line.contains("/heddle-runtime/")) continue;
    for (const ReportAccess* access : {&race.first, &race.second})
      if (const std::size_t place = line.find(" /" + access->file + ":"); place != std::string::npos)
        line.erase(place + 1, 1);
    out += line;
  }
  return out;
}

/// Of what ThreadSanitizer wrote, the report of these two accesses; or that there is none.
std::string tsan_report_of(const std::string& text, const explore::ReplayedRace& race) {
  constexpr std::string_view fence = "==================\n";
  std::size_t reports = 0;
  for (std::size_t at = 0; (at = text.find("WARNING: ThreadSanitizer", at)) != std::string::npos; ++reports) {
    const std::size_t end = std::min(text.find(fence, at), text.size());
    const std::string report = text.substr(at, end - at);
    at = end;
    if (tells_of(report, race.first) && tells_of(report, race.second)) return told_to_users(report, race);
  }
  return "both threads came to their accesses, and ThreadSanitizer does not report them" +
         (reports == 0 ? std::string() : " but " + std::to_string(reports) + " other races") +
         "; it does not see what library calls do with locks and the like\n";
}

}  // namespace

Input input_of(const race::Schedule& schedule) {
  Input input;
  for (const std::string& source : schedule.sources) input.sources.push_back({source, schedule.flags});
  input.project = schedule.project;
  input.program = schedule.target;
  if (!schedule.data_model.empty())
    input.frontend.data_model = schedule.data_model == "ILP32" ? frontend::DataModel::Ilp32 : frontend::DataModel::Lp64;
  input.model_files = schedule.models;
  input.profiles = schedule.profiles;
  return input;
}

Result<project::NativeProgram> NativeReplay::build(bool with_tsan) const {
  const std::string folder = with_tsan ? work_.path() + "/tsan" : work_.path();
  return instrument(
      input_of(schedule_),
      {.folder = folder, .hook_all = schedule_.hooks_all, .tell_ways = schedule_.tells_ways, .with_tsan = with_tsan});
}

Result<std::unique_ptr<NativeReplay>> NativeReplay::prepare(race::Schedule schedule, std::string file,
                                                            NativeReplayOptions options, const Tell& tell) {
  using Ending = race::Schedule::Ending;
  if (schedule.ending != Ending::Race && schedule.ending != Ending::Unordered)
    return error(file + ": a schedule of a real program ends in 'race' or 'unordered'");
  if (schedule.sources.empty() && schedule.project.empty())
    return error(file + ": the schedule names neither sources nor a project");
  if (!options.is_trusted && schedule.seal != seal_of(schedule))
    return error(file +
                 ": this runs the program, and the schedule is not one that you have made with 'heddle explore'; "
                 "if you trust the program and its arguments: heddle replay --trust " +
                 file);
  const auto driver = explore::driver_file();
  if (!driver) return std::unexpected(driver.error());
  std::unique_ptr<NativeReplay> out(new NativeReplay(std::move(schedule), std::move(file), std::move(options)));
  if (out->work_.path().empty()) return error("no folder for the instrumented program: " + failure_words(errno));
  auto program = out->build(false);
  if (!program) return std::unexpected(program.error());
  if (tell) tell(program->notes);
  const std::string identity = project::identity_of(program->program);
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
  auto answer = explore::launch(job, options_.stop());
  if (!answer) return error(file_ + ": " + answer.error().message);
  if (!answer->why_addresses_vary.empty()) why_addresses_vary_ = answer->why_addresses_vary;
  return answer;
}

Result<void> NativeReplay::run_real() {
  const auto answer = start(job_of(program_));
  if (!answer) return std::unexpected(answer.error());
  return {};
}

Result<std::string> NativeReplay::run_with_tsan(const explore::ReplayedRace& race) {
  const auto program = build(true);
  if (!program) return std::unexpected(program.error());
  explore::LaunchJob job = job_of(*program);
  const std::string log = work_.path() + "/tsan/report";
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(work_.path() + "/tsan", failure))
    if (entry.path().string().starts_with(log + ".")) std::filesystem::remove(entry.path(), failure);
  job.variables["TSAN_OPTIONS"] =
      "log_path=" + log + ":halt_on_error=0:report_signal_unsafe=0:color=never" +
      ":history_size=7:stack_trace_format='    #%n %f %S':external_symbolizer_path=" + symbolizer();
  const auto answer = start(job);
  if (!answer) return std::unexpected(answer.error());
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(work_.path() + "/tsan", failure))
    if (entry.path().string().starts_with(log + "."))
      if (const auto part = read_file(entry.path().string())) text += *part;
  return tsan_report_of(text, race);
}

Result<void> NativeReplay::run_with_gdb(const explore::ReplayedRace& race) {
  const std::string gdb = host::program_file("gdb", "").string();
  if (gdb.empty()) return error("gdb is not here; install it (on Debian: apt install gdb)");
  explore::LaunchJob job = job_of(program_);
  job.settings["SCHEDULE"] = std::filesystem::absolute(file_).string();
  job.settings["AFTER"] = "go";
  // gdb numbers threads as they are created, from 1.
  const std::string first = std::to_string(schedule_.first_thread + 1);
  const std::string second = std::to_string(schedule_.second_thread + 1);
  const bool is_unordered = schedule_.ending == race::Schedule::Ending::Unordered;
  std::vector<std::string> commands = {"set pagination off", "break heddle_racing_pair", "run"};
  // Who comes first waits inside for the other one.
  if (!is_unordered) commands.emplace_back("continue");
  commands.emplace_back("clear heddle_racing_pair");
  commands.push_back("thread apply " + (is_unordered ? second : first + " " + second) + " backtrace");
  commands.push_back("thread " + second);
  commands.push_back("frame function " + race.second.function);
  commands.emplace_back("set pagination on");
  return explore::debug(gdb, job, commands);
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
  return named_race(*answer->race, names);
}

}  // namespace heddle::pipeline
