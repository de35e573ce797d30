// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/explore.h"

#include <charconv>
#include <filesystem>

#include "base/content_hash.h"
#include "base/machine/failure_words.h"
#include "base/read_file.h"
#include "explore/launch/search_all.h"
#include "host/work_folder.h"
#include "instrument/symbols.h"
#include "pipeline/instrument.h"
#include "race/race_id.h"

namespace heddle::pipeline {

namespace fs = std::filesystem;
namespace {

/// Puts names in the place of addresses.
class Naming {
 public:
  Naming(const std::vector<explore::LoadedModule>& modules, std::string program)
      : modules_(modules), program_(std::move(program)) {}

  void name(ReportAccess& access) {
    std::vector<ReportFrame> stack;
    for (const ReportFrame& frame : access.stack) add_frames(frame.function, stack);
    access.stack = std::move(stack);
    for (std::string& lock : access.locks) lock = variable(lock);
  }

  /// Of `@7f00deadbeef`, with whatever follows it.
  std::string variable(const std::string& text) {
    std::uint64_t address = 0;
    const std::size_t rest = read_address(text, address);
    if (rest == 0) return text;
    const explore::LoadedModule* module = module_at(address);
    const std::string name = module == nullptr ? "" : symbols_.data(file_of(*module), address - module->begin);
    return (name.empty() ? "memory at 0x" + text.substr(1, rest - 1) : name) + text.substr(rest);
  }

 private:
  static constexpr std::string_view of_runtime = "heddle-runtime/";

  /// Where the number ends; 0: it is none.
  static std::size_t read_address(const std::string& text, std::uint64_t& address) {
    if (!text.starts_with('@')) return 0;
    const auto [end, failure] = std::from_chars(text.data() + 1, text.data() + text.size(), address, 16);
    return failure == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
  }

  [[nodiscard]] const explore::LoadedModule* module_at(std::uint64_t address) const {
    for (const explore::LoadedModule& module : modules_)
      if (address >= module.begin && address < module.end) return &module;
    return nullptr;
  }
  [[nodiscard]] const std::string& file_of(const explore::LoadedModule& module) const {
    return module.file == "/proc/self/exe" ? program_ : module.file;
  }

  void add_frames(const std::string& text, std::vector<ReportFrame>& stack) {
    std::uint64_t address = 0;
    if (read_address(text, address) == 0) return;
    const explore::LoadedModule* module = module_at(address);
    if (module == nullptr) return;
    // A return address stands behind its call.
    for (const instrument::CodePlace& place : symbols_.code(file_of(*module), address - module->begin - 1)) {
      if (place.file.contains(of_runtime)) continue;
      const bool is_main = place.function == "__heddle1_main";
      stack.push_back({place.file, place.line, place.column, is_main ? "main" : place.function});
    }
  }

  const std::vector<explore::LoadedModule>& modules_;
  std::string program_;
  instrument::Symbols symbols_;
};

AccessKind kind_of(const std::string& word) { return word.ends_with("read") ? AccessKind::Read : AccessKind::Write; }

ReportRace race_of(const explore::AnsweredRace& found, Naming& naming) {
  ReportRace race;
  race.verdict = RaceVerdict::Confirmed;
  race.judge = "explore";
  race.grade = found.schedule.ending == race::Schedule::Ending::Unordered ? "unordered" : "replay";
  race.accesses = found.accesses;
  for (ReportAccess& access : race.accesses) naming.name(access);
  race.variable = naming.variable(found.variable);
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

std::string identity_of(const std::string& file) {
  const auto bytes = read_file(file);
  return bytes ? Hasher().add(*bytes).finish().hex() : "none";
}

/// Names the program and all that it is given: a search goes on with nothing else.
std::string state_key(const explore::LaunchJob& job) {
  Hasher hasher;
  for (const std::string& argument : job.arguments) hasher.add(argument);
  hasher.add(identity_of(job.input));
  for (const auto& [name, value] : job.settings)
    if (name != "EVENTS" && name != "SIDES") hasher.add(name).add(value);
  return hasher.add(identity_of(job.driver)).finish().hex();
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

Result<void> keep_schedule(const Input& input, const ExploreOptions& options, race::Schedule schedule) {
  if (options.schedule_file.empty()) return {};
  for (const frontend::Source& source : input.sources) schedule.sources.push_back(source.path);
  if (!input.sources.empty()) schedule.flags = input.sources.front().flags;
  schedule.is_native = true;
  schedule.arguments = options.arguments;
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
  explore::LaunchJob job = job_for(*program, options, *driver, identity_of(program->program));
  if (prunes) job.settings["SIDES"] = sides->path;
  const Result<explore::SearchedAll> searched = explore::search_all(job, search_options(options, job, prunes));

  Explored out;
  if (options.prunes) out.unpruned = sides->obstacle;
  out.unknown_calls = sides->unknown_calls;
  RaceReport& report = out.report;
  report.coverage.was_run = true;
  report.coverage.tried = report.coverage.parsed = program->units;
  if (!searched) {
    if (!options.state_file.empty() && searched.error().message.starts_with(options.state_file))
      return std::unexpected(searched.error());
    report.obstacles.push_back({"", searched.error().message});
    return out;
  }
  out.was_resumed = searched->was_resumed;
  note_statistics(searched->result, prunes, out);
  note_blind_spots(*program, report);
  Naming naming(searched->modules, program->program);
  if (!searched->races.empty()) {
    report.verdict = Verdict::Race;
    for (const explore::AnsweredRace& one : searched->races) report.races.push_back(race_of(one, naming));
    if (auto kept = keep_schedule(input, options, searched->races.front().schedule); !kept)
      return std::unexpected(kept.error());
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

}  // namespace heddle::pipeline
