// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/intercept.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <map>

#include "base/machine/failure_words.h"
#include "base/read_file.h"
#include "build/intercept/log_writer.h"
#include "build/recording_compiler.h"
#include "build/run_process.h"
#include "build/watch/build_signals.h"
#include "build/watch/lost_records.h"
#include "host/output_tee.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

/// A folder that is there while the build runs, for the user alone: the log, and the objects that stand for what is
/// only recorded (recording_compiler.h).
class TemporaryLog {
 public:
  explicit TemporaryLog(const std::string& place) : folder_(place + "/heddle-build-XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) return;
    has_folder_ = true;
    const int file = open(path().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    is_open_ = file >= 0;
    if (is_open_) close(file);
  }
  ~TemporaryLog() {
    std::error_code failure;
    if (has_folder_) fs::remove_all(folder_, failure);
  }
  TemporaryLog(const TemporaryLog&) = delete;
  TemporaryLog& operator=(const TemporaryLog&) = delete;
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] std::string path() const { return folder_ + "/log"; }

 private:
  std::string folder_;
  bool has_folder_ = false, is_open_ = false;
};

/// LD_PRELOAD separates by blanks and colons; a library whose path has them gets another name for the time being.
class PreloadName {
 public:
  explicit PreloadName(const std::string& library) : name_(library) {
    if (library.find_first_of(" \t\n:;") == std::string::npos) return;
    std::string folder = "/tmp/heddle-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return;
    folder_ = folder;
    name_ = folder + "/libheddle_intercept.so";
    std::error_code failure;
    fs::create_symlink(library, name_, failure);
  }
  ~PreloadName() {
    std::error_code failure;
    if (!folder_.empty()) fs::remove_all(folder_, failure);
  }
  PreloadName(const PreloadName&) = delete;
  PreloadName& operator=(const PreloadName&) = delete;
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::string folder_;
};

std::vector<std::string> environment_of_build(const std::string& library, const std::string& log,
                                              const std::string& lost, const InterceptOptions& options) {
  std::map<std::string, std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = std::min(text.find('='), text.size());
    variables.emplace(text.substr(0, equals), text.substr(std::min(equals + 1, text.size())));
  }
  const auto append_to = [&](const char* name, const std::string& value) {
    std::string& text = variables[name];
    text += (text.empty() ? "" : ":") + value;
  };
  append_to("LD_PRELOAD", library);
  // Programs of the build that use gcc's AddressSanitizer would refuse to run with any library preloaded.
  append_to("ASAN_OPTIONS", "verify_asan_link_order=0");
  variables.erase(HEDDLE_INSIDE_VARIABLE);
  variables[HEDDLE_LOG_VARIABLE] = log;
  variables[HEDDLE_LOST_VARIABLE] = lost;
  std::string names;
  for (const std::string& name : options.compilers) names += (names.empty() ? "" : ":") + name;
  variables[HEDDLE_NAMES_VARIABLE] = names;
  if (!options.recorder.empty()) variables[HEDDLE_RECORDER_VARIABLE] = options.recorder;
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

/// We run inside of a build that another heddle watches: what our own build compiles is part of it.
void hand_on_to_outer(const std::string& log, bool is_complete) {
  const char* outer = std::getenv(HEDDLE_LOG_VARIABLE);
  if (outer == nullptr || std::getenv(HEDDLE_INSIDE_VARIABLE) != nullptr) return;
  const auto records = read_file(log);
  if (records && !records->empty()) heddle_append_records(outer, records->data(), records->size());
  if (!records || !is_complete) heddle_note_lost(EIO, -1);
}

int spawn_build(pid_t& pid, std::vector<std::string> words, std::vector<std::string> environment,
                const host::OutputTee& tee) {
  posix_spawn_file_actions_t files;
  if (const int failure = posix_spawn_file_actions_init(&files); failure != 0) return failure;
  posix_spawn_file_actions_adddup2(&files, tee.output(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, tee.errors(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  if (const int failure = posix_spawnattr_init(&attributes); failure != 0) return failure;
  sigset_t restored;
  sigemptyset(&restored);
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGXFSZ}) sigaddset(&restored, signal);
  posix_spawnattr_setsigdefault(&attributes, &restored);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  const std::string program = words.front();
  const int failure = posix_spawnp(&pid, program.c_str(), &files, &attributes, pointers_to(words).data(),
                                   pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

}  // namespace

Result<std::string> intercept_library() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  if (failure)
    return error("/proc is not mounted, and builds are watched through it; mount it: mount -t proc proc /proc");
  for (const char* place : {"libheddle_intercept.so", "../lib/heddle/libheddle_intercept.so"}) {
    const fs::path candidate = (program.parent_path() / place).lexically_normal();
    if (fs::exists(candidate, failure)) return candidate.string();
  }
  return error("libheddle_intercept.so is neither beside " + program.string() +
               " nor in ../lib/heddle; install it from heddle's build folder (ninja heddle_intercept)");
}

Result<InterceptResult> intercept_build(std::span<const std::string> arguments, const InterceptOptions& options) {
  if (arguments.empty()) return error("no build command was given; write it behind --: heddle capture -- make");
  const auto library = intercept_library();
  if (!library) return std::unexpected(library.error());
  std::error_code failure;
  const TemporaryLog log(fs::absolute(options.folder, failure).string());
  if (!log.is_open()) return error("the folder '" + options.folder + "' cannot be written to: " + failure_words(errno));
  const PreloadName preload(*library);
  const LostRecords lost;
  InterceptResult result;
  {
    const BuildSignals signals;
    host::OutputTee tee;
    pid_t pid = 0;
    const int refused = spawn_build(pid, {arguments.begin(), arguments.end()},
                                    environment_of_build(preload.name(), log.path(), lost.name(), options), tee);
    if (refused != 0) return error("'" + arguments.front() + "' cannot be started: " + failure_words(refused));
    const int status = signals.wait_for(pid);
    tee.finish();
    result.was_interrupted = signals.was_interrupted();
    if (status != 0) result.last_error = tee.last_error();
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  auto database = read_intercept_log(log.path(), options.compilers, result.calls);
  if (!database) return std::unexpected(database.error());
  result.database = std::move(*database);
  if (std::string why = lost.why(log.path()); !why.empty()) result.log_damage = std::move(why);
  if (result.log_damage.empty() && result.database.build_status == incomplete_log) result.log_damage = "it is damaged";
  hand_on_to_outer(log.path(), result.log_damage.empty());
  return result;
}

}  // namespace heddle::build
