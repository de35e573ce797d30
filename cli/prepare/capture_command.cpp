// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/prepare/capture_command.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>
#include <thread>

#include "base/kept/kept_file.h"
#include "base/read_file.h"
#include "build/intercept.h"
#include "build/link_steps.h"
#include "build/real_compiler.h"
#include "cli/interrupt_flag.h"
#include "cli/limit_arguments.h"
#include "cli/prepare/capture_progress.h"
#include "cli/project_file.h"
#include "frontend/clang/clang_command.h"
#include "frontend/clang/toolchain.h"
#include "host/program_file.h"
#include "host/shell_words.h"
#include "project/capture.h"
#include "project/project_file.h"
#include "report/screen/shown.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

std::string commands_file() { return std::string(project_folder) + "/commands.json"; }

bool is_captured() {
  std::error_code failure;
  return fs::exists(commands_file(), failure);
}

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

Result<void> make_project_folder() {
  if (const auto made = kept::make_folders({project_folder, "x"}); !made)
    return error(std::string("the folder '") + project_folder + "' cannot be made here: " + made.error().message +
                 "; check the permissions of the current folder, or whether a file has that name");
  return {};
}

std::string quote_error(const std::string& last_error) {
  return last_error.empty() ? "" : "; its last error: " + report::shown(last_error);
}

/// A build that compiled nothing is no result: say what usually is the reason.
Error nothing_recorded(const build::InterceptResult& result, const std::string& program) {
  std::string message = "'" + program + "' " +
                        (result.status == 0 ? "ran" : "failed (exit status " + std::to_string(result.status) + ")");
  if (!result.log_damage.empty())
    message += ", and no command of it could be recorded";
  else if (result.calls == 0)
    message +=
        " and started no compiler that heddle saw. Was everything built already? Then clean first (make clean). Is the "
        "compiler statically linked, or has it another name? Try --compiler NAME, or CC='heddle cc'";
  else
    message += ", and its " + plural(result.calls, "compiler call") + " compiled no C or C++ file of the project";
  for (const std::string& note : result.database.notes) message += "; " + note;
  return {message + quote_error(result.last_error)};
}

/// The commands our clang runs, as lines of the shell: for looking into a unit that fails.
void print_clang_commands(const build::CompileDatabase& database, build::AskRules asks) {
  std::error_code failure;
  asks.project = fs::current_path(failure).string();
  build::RealCompilers real(std::move(asks));
  for (const build::CompileCommand& command : database.commands) {
    const auto clang = frontend::to_clang_command(command, real.of(command));
    if (!clang) continue;
    std::cout << "cd " << host::quote_shell_word(clang->directory) << " &&";
    for (const std::string& argument : clang->arguments) std::cout << ' ' << host::quote_shell_word(argument);
    std::cout << '\n';
  }
  print_notes(real.notes());
}

/// What a heddle.toml asks for beyond words about the code: it can lead to programs being started.
std::string wish_of(const api::CaptureSettings& settings) {
  std::string out;
  const auto add = [&](const std::string& what) { out += (out.empty() ? "" : " and ") + what; };
  if (!settings.build.empty()) {
    std::string words;
    for (const std::string& word : settings.build) words += " " + host::quote_shell_word(word);
    add("to run the build:" + words);
  }
  const auto usual = build::find_compile_commands_upward(".");  // would be read without a word, too
  std::error_code failure;
  if (!settings.database.empty() && !(usual && fs::equivalent(*usual, settings.database, failure)))
    add("to read the commands in " + settings.database);
  for (const std::string& compiler : settings.compilers) add("to take '" + compiler + "' for a compiler");
  return out;
}

/// Asks on a terminal. Elsewhere nobody can answer.
bool is_granted(const std::string& what) {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDERR_FILENO) == 0) return false;
  std::cerr << "heddle: " << what << ". Do that? [y/N] " << std::flush;
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

/// The files of the compilers that a build has run a moment ago: the user had them run already.
std::vector<std::string> files_of_compilers(const build::CompileDatabase& database) {
  std::set<std::string> files;
  for (const build::CompileCommand& command : database.commands)
    if (const fs::path file = host::program_file(command.arguments.front(), command.directory); !file.empty())
      files.insert(file.string());
  return {files.begin(), files.end()};
}

std::string key_of(const build::CompileCommand& command) { return source_path(command) + '\0' + command.output; }

}  // namespace

CaptureCommand::CaptureCommand(CLI::App& app)
    : Command(app, "capture", "Watch a build, or read its compile_commands.json, and keep the project in .heddle/") {
  subcommand()
      .add_option("-p", database_path_, "a compile_commands.json, or the folder it is in or under")
      ->option_text("FILE|DIR");
  subcommand().add_option("FILE", ir_files_, "bitcode or .ll files to capture instead of a build");
  subcommand().add_flag("--record", record_,
                        "record the compile steps and do not run them; the build gets empty objects");
  subcommand().add_flag("--append", append_,
                        "keep the commands of earlier captures, for builds that compile only what changed");
  subcommand()
      .add_option("--compiler", compilers_, "another name of a compiler that the build uses; may be repeated")
      ->option_text("NAME")
      ->allow_extra_args(false);
  subcommand()
      .add_option("--query-driver", query_drivers_,
                  "a compiler that may be asked for its defaults although it lies in the project or outside of the "
                  "system's folders: a path or a pattern with '*'; may be repeated")
      ->option_text("GLOB")
      ->allow_extra_args(false);
  subcommand().add_flag("--fresh", fresh_, "believe nothing that was kept, and capture everything anew: for CI");
  subcommand().add_flag("--trust", trust_, "use the build, compilers and database of heddle.toml without asking");
  subcommand().add_flag("--print-clang", print_clang_, "print how heddle's own clang runs each command");
  subcommand().add_flag("--commands-only", commands_only_, "keep the commands, capture no unit");
  subcommand().add_flag("--no-bitcode", no_bitcode_,
                        "do not keep bitcode; the running program cannot be explored then");
  subcommand()
      .add_option("-j,--jobs", jobs_, "units to capture at a time (default: one per core)")
      ->option_text("N")
      ->check(CLI::Range(1U, 1024U));
  subcommand()
      .add_option("--unit-seconds", unit_seconds_, "give up a unit after this time (default 900, 0: never)")
      ->option_text("N");
  subcommand()
      .add_option("--memory-limit", unit_memory_,
                  "give up a unit that needs more memory, such as 500M or 2G, to compile (default: none)")
      ->option_text("SIZE")
      ->check(check_size);
  subcommand().add_option("--database", output_, "write the commands to this file too")->option_text("FILE");
  subcommand().footer(
      "The build stands behind --, for example: heddle capture -- make -j4. Without a build, the compile_commands.json "
      "of this folder, its build folder or a folder above is read.");
}

Result<api::CaptureSettings> CaptureCommand::settings() const {
  const auto file = find_project_file(".");
  if (!file) return api::CaptureSettings{};
  const auto text = read_file(file->string());
  if (!text) return error(file->string() + " " + text.error().message);
  auto models = api::read_models(*text, file->string());
  if (!models) return std::unexpected(models.error());
  if (!models->capture.database.empty())
    models->capture.database = (file->parent_path() / models->capture.database).string();
  const std::string wish = wish_of(models->capture);
  if (wish.empty() || trust_ || is_granted(file->string() + " wants " + wish)) return models->capture;
  return error(file->string() + " wants " + wish +
               "; that comes from the project, so it needs your word: look at it, then give --trust");
}

Result<CaptureCommand::Commands> CaptureCommand::watch(const std::vector<std::string>& build,
                                                       const std::vector<std::string>& compilers) const {
  // Not in our own folder: builds clean up what they do not know.
  std::error_code failure;
  build::InterceptOptions options{fs::temp_directory_path(failure).string(), compilers, ""};
  if (record_) options.recorder = fs::read_symlink("/proc/self/exe", failure).string();
  auto result = build::intercept_build(build, options);
  if (!result) return std::unexpected(result.error());
  if (!result->log_damage.empty())
    print_error("the log of the build is not complete: " + result->log_damage +
                "; commands are missing. Mend that, clean, and capture the whole build again");
  if (result->database.commands.empty() && !keeps_earlier())
    return std::unexpected(nothing_recorded(*result, build.front()));
  if (result->status != 0)
    std::cerr << "heddle: the build failed (exit status " << result->status << ")" << quote_error(result->last_error)
              << "; " << plural(result->database.commands.size(), "command") << " recorded\n";
  result->database.build_status =
      result->status == 0 && !result->log_damage.empty() ? build::incomplete_log : result->status;
  build::AskRules asks;
  asks.allowed = files_of_compilers(result->database);
  return Commands{std::move(result->database), result->status, std::move(asks), result->was_interrupted};
}

Result<CaptureCommand::Commands> CaptureCommand::read(const api::CaptureSettings& settings) const {
  const std::string& named = database_path_.empty() ? settings.database : database_path_;
  const auto path = named.empty() ? build::find_compile_commands_upward(".") : build::find_compile_commands(named);
  if (!path) return std::unexpected(path.error());
  if (named.empty() && !host::is_in_own_hands(*path))
    return error("'" + *path + "' belongs to another user, or others may write it; name it with -p if you trust it");
  auto database = build::read_compile_commands(*path, settings.compilers);
  if (!database) return std::unexpected(database.error());
  std::cout << "heddle: read " << *path << '\n';
  return Commands{std::move(*database), 0, {}};
}

/// What the last build is known to do, for sources that have changed since.
Result<CaptureCommand::Commands> CaptureCommand::repeat(const std::vector<std::string>& compilers) const {
  auto database = build::kept_compile_commands(project_folder, compilers);
  if (!database) return std::unexpected(database.error());
  auto links = build::read_link_steps(project_folder);
  if (!links) return std::unexpected(links.error());
  database->links = std::move(*links);
  std::error_code failure;
  if (fs::exists(fs::path(project_folder) / "project.json", failure)) {
    const auto earlier = project::read_project_file(project_folder);
    if (!earlier) return error(earlier.error().message + "; name the build: heddle capture -- BUILD");
    database->build_status = earlier->coverage.build_status;
    database->notes = earlier->coverage.notes;
    database->skipped = earlier->coverage.skipped;
  }
  std::cout << "heddle: captures again what " << commands_file()
            << " names; name the build (heddle capture -- BUILD) when files were added\n";
  return Commands{std::move(*database), 0, {}};
}

bool CaptureCommand::keeps_earlier() const {
  if (append_ || fresh_) return append_;
  const auto earlier = project::read_project_file(project_folder);
  // What a log has lost, a build that goes on where the last one ended does not bring back.
  return earlier && earlier->coverage.build_status != build::incomplete_log &&
         (earlier->coverage.interrupted || earlier->coverage.build_status != 0);
}

/// As the commands of a build that makes objects of them.
Result<CaptureCommand::Commands> CaptureCommand::files() const {
  Commands out;
  std::error_code failure;
  const std::string here = fs::current_path(failure).string();
  for (const std::string& file : ir_files_) {
    if (!frontend::is_ir_file(file))
      return error("'" + file +
                   "' is no .bc or .ll file; sources are captured with their build: heddle capture -- YOUR BUILD");
    if (!fs::is_regular_file(file, failure)) return error("'" + file + "': no such file; name bitcode or .ll files");
    out.database.commands.push_back({here, file, "", {"clang", "-c", file}});
  }
  return out;
}

Result<CaptureCommand::Commands> CaptureCommand::commands(std::vector<std::string> build) const {
  auto from_file = settings();
  if (!from_file) return std::unexpected(from_file.error());
  from_file->compilers.insert(from_file->compilers.end(), compilers_.begin(), compilers_.end());
  if (!build.empty() && !database_path_.empty())
    return error("-p and a build behind -- exclude each other: one says where the commands are, the other makes them");
  if (!ir_files_.empty() && (!build.empty() || !database_path_.empty()))
    return error(
        "name .bc and .ll files, or a build behind --, or -p: each makes a project of its own; --append adds to one");
  if (fresh_ && append_) return error("--fresh and --append exclude each other: one forgets what the other keeps");
  if (build.empty() && record_)
    return error("--record needs a build behind --, for example: heddle capture --record -- make -k");
  if (build.empty() && database_path_.empty() && from_file->database.empty()) build = from_file->build;
  const bool is_watched = !build.empty();
  const bool is_repeated = !is_watched && ir_files_.empty() && database_path_.empty() && from_file->database.empty() &&
                           !build::find_compile_commands_upward(".") && is_captured();
  if (is_repeated && fresh_)
    return error(
        "--fresh believes nothing that was kept, the commands neither; name the build (heddle capture --fresh -- "
        "BUILD), or its compile_commands.json with -p");
  auto result = !ir_files_.empty() ? files()
                : is_watched       ? watch(build, from_file->compilers)
                : is_repeated      ? repeat(from_file->compilers)
                                   : read(*from_file);
  if (result && !is_repeated && !fresh_ && (append_ || is_watched)) {
    const Earlier which = append_ || keeps_earlier() ? Earlier::All : Earlier::Linked;
    if (auto added = add_earlier(result->database, from_file->compilers, which); !added)
      return std::unexpected(added.error());
  }
  if (!result) return result;
  build::sort_commands(result->database);
  result->asks.more_names = std::move(from_file->compilers);
  for (const std::vector<std::string>* named : {&compilers_, &query_drivers_})
    result->asks.allowed.insert(result->asks.allowed.end(), named->begin(), named->end());
  return result;
}

namespace {

/// Of the steps of earlier captures, those whose outputs these link.
std::vector<build::LinkStep> linked_steps(const std::vector<build::LinkStep>& steps,
                                          const std::vector<build::LinkStep>& earlier) {
  std::vector<build::LinkStep> out = steps;
  for (std::size_t i = 0; i < out.size(); ++i)
    for (const build::LinkStep& step : earlier) {
      const bool is_there = std::ranges::find(out, step.output, &build::LinkStep::output) != out.end();
      if (!is_there && std::ranges::find(out[i].inputs, step.output) != out[i].inputs.end()) out.push_back(step);
    }
  return out;
}

}  // namespace

/// A build that finds most objects made compiles little, and links them all.
Result<void> CaptureCommand::add_earlier(build::CompileDatabase& database, const std::vector<std::string>& compilers,
                                         Earlier which) const {
  const std::string path = commands_file();
  std::error_code failure;
  if (!fs::exists(path, failure)) return {};
  auto earlier = build::kept_compile_commands(project_folder, compilers);
  auto links = build::read_link_steps(project_folder);
  if (!earlier || !links) {
    if (which == Earlier::Linked) return {};  // nobody asked for what lies there
    return std::unexpected(earlier ? links.error() : earlier.error());
  }
  if (which == Earlier::Linked) links = linked_steps(database.links, *links);
  std::set<std::string> linked, seen;
  for (const build::LinkStep& step : *links)
    for (const build::LinkedObject& object : objects_of(step, *links)) linked.insert(object.path);
  for (const auto& command : database.commands) {
    seen.insert(key_of(command));
    linked.erase(build::object_of(command));
  }
  std::size_t count = 0;
  for (auto& command : earlier->commands) {
    if (seen.contains(key_of(command)) || !fs::exists(source_path(command), failure)) continue;
    if (which == Earlier::Linked && !linked.contains(build::object_of(command))) continue;
    database.commands.push_back(std::move(command));
    ++count;
  }
  if (which == Earlier::Linked && count == 0) return {};
  if (const auto project = project::read_project_file(project_folder); project && database.build_status == 0)
    if (project->coverage.build_status == build::incomplete_log) database.build_status = build::incomplete_log;
  keep_earlier(database.links, std::move(*links));
  database.notes.push_back("kept from earlier captures: " + plural(count, "command"));
  return {};
}

void CaptureCommand::print_summary(const Commands& commands) const {
  std::map<std::string, std::size_t> compilers;
  for (const auto& command : commands.database.commands) ++compilers[command.arguments.front()];
  std::cout << "heddle: " << plural(commands.database.commands.size(), "compile command") << " in " << project_folder
            << "/commands.json (";
  const char* separator = "";
  for (const auto& [name, count] : compilers)
    std::cout << std::exchange(separator, ", ") << report::shown(name) << " " << count;
  std::cout << ")\n";
  for (const std::string& note : commands.database.notes) std::cout << "heddle: note: " << report::shown(note) << '\n';
}

ExitCode CaptureCommand::run(const std::vector<std::string>& build) {
  const auto fail = [](const Error& failure) {
    print_error(failure.message);
    return ExitCode::BadInput;
  };
  if (auto made = make_project_folder(); !made) return fail(made.error());
  const auto found = commands(build);
  if (!found) return fail(found.error());
  if (found->database.commands.empty()) return fail({"nothing was compiled and nothing was captured earlier"});
  if (auto made = make_project_folder(); !made) return fail(made.error());
  if (fresh_)
    kept::remove_everything(project_folder);
  else if (const auto earlier = kept::read_kept({project_folder, "project.json"});
           !earlier && earlier.error().kind == kept::NotKept::Kind::Foreign)
    print_notes({earlier.error().message + "; everything is captured anew"});
  if (auto kept = keep_compile_commands(project_folder, found->database); !kept) return fail(kept.error());
  if (auto kept = build::write_link_steps(project_folder, found->database.links); !kept) return fail(kept.error());
  if (!output_.empty())
    if (auto written = write_compile_commands(output_, found->database); !written) return fail(written.error());
  print_summary(*found);
  if (print_clang_) print_clang_commands(found->database, found->asks);
  const ExitCode code = commands_only_ ? ExitCode::Fine : capture_units(*found);
  if (found->build_status != 0) return static_cast<ExitCode>(found->build_status);
  const bool is_complete = found->database.build_status == 0 && !found->was_interrupted;
  return code == ExitCode::Fine && !is_complete ? ExitCode::Incomplete : code;
}

ExitCode CaptureCommand::capture_units(const Commands& commands) const {
  const build::CompileDatabase& database = commands.database;
  InterruptFlag interrupt;
  const std::atomic<bool> was_interrupted = true;
  CaptureProgressLine line;
  project::CaptureOptions options;
  options.folder = project_folder;
  options.processes = jobs_ != 0 ? jobs_ : std::max(1U, std::thread::hardware_concurrency());
  options.keep_bitcode = !no_bitcode_;
  options.asks = commands.asks;
  options.unit_seconds = unit_seconds_;
  options.progress = [&](const project::CaptureProgress& progress) { line.show(progress); };
  options.unit_memory = size_of(unit_memory_).value_or(0);
  options.stop = commands.was_interrupted ? &was_interrupted : &interrupt.raised();
  const auto coverage = project::capture_project(database, options);
  line.end();
  interrupt.end();
  if (!coverage) {
    print_error(coverage.error().message);
    return ExitCode::BadInput;
  }
  for (const project::UnitFailure& failure : coverage->failed)
    std::cerr << report::shown_lines(failure.message) << '\n';
  for (const std::string& note : coverage->notes)
    if (std::ranges::find(database.notes, note) == database.notes.end())
      std::cout << "heddle: note: " << report::shown(note) << '\n';
  std::cout << "heddle: " << plural(coverage->tried, "unit") << ": " << coverage->parsed << " captured ("
            << coverage->unchanged << " unchanged), " << coverage->failed.size() << " failed\n";
  if (!coverage->interrupted) return coverage->failed.empty() ? ExitCode::Fine : ExitCode::Incomplete;
  std::cerr << "heddle: interrupted; what was captured is kept, run the command again to go on\n";
  return ExitCode::Incomplete;
}

}  // namespace heddle::cli
