// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/explore.h"

#include <charconv>
#include <filesystem>

#include "base/content_hash.h"
#include "base/machine/failure_words.h"
#include "base/read_file.h"
#include "explore/launch/launch.h"
#include "instrument/symbols.h"
#include "pipeline/instrument.h"
#include "race/race_id.h"

namespace heddle::pipeline {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone when nobody needs it any more; or one that the user named.
class WorkFolder {
 public:
  explicit WorkFolder(std::string named) : path_(std::move(named)) {
    if (!path_.empty()) return;
    std::string pattern = (fs::temp_directory_path() / "heddle-explore-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    is_ours_ = !path_.empty();
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (is_ours_) fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_ours_ = false;
};

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
  // The driver ends by itself shortly before, and says what it knows.
  if (options.seconds > 0) job.settings["SECONDS"] = std::to_string(std::max(1U, options.seconds * 9 / 10));
  if (options.steps != 0) job.settings["LONGEST"] = std::to_string(options.steps);
  return job;
}

std::string identity_of(const std::string& file) {
  const auto bytes = read_file(file);
  return bytes ? Hasher().add(*bytes).finish().hex() : "none";
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
  const WorkFolder folder(options.folder);
  if (folder.path().empty()) return error("no folder for the instrumented program: " + failure_words(errno));
  const auto program = instrument(input, {.folder = folder.path(), .runtime = {}, .hook_all = options.hook_all});
  if (!program) return std::unexpected(program.error());
  if (tell) tell(program->notes);
  explore::LaunchJob job = job_for(*program, options, *driver, identity_of(program->program));
  job.task = "explore";
  const Result<explore::DriverAnswer> answer = explore::launch(job, options.stop);

  Explored out;
  RaceReport& report = out.report;
  report.coverage.was_run = true;
  report.coverage.tried = report.coverage.parsed = program->units;
  if (!answer) {
    report.obstacles.push_back({"", answer.error().message});
    return out;
  }
  out.executions = answer->executions;
  out.events = answer->events;
  note_blind_spots(*program, report);
  Naming naming(answer->modules, program->program);
  if (answer->race) {
    report.verdict = Verdict::Race;
    report.races.push_back(race_of(*answer->race, naming));
    if (auto kept = keep_schedule(input, options, answer->race->schedule); !kept) return std::unexpected(kept.error());
  } else if (answer->verdict == "race-free") {
    report.verdict = Verdict::RaceFree;
    report.exhausted_traces = answer->executions;
  } else {
    report.obstacles.push_back({"", answer->why});
  }
  return out;
}

}  // namespace heddle::pipeline
