// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/capture.h"

#include <sys/file.h>

#include <filesystem>
#include <map>
#include <set>

#include "base/kept/kept_file.h"
#include "base/kept/user_key.h"
#include "base/machine/memory_limit.h"
#include "build/compiler_answers.h"
#include "frontend/capture_unit.h"
#include "frontend/clang/toolchain.h"
#include "host/confine.h"
#include "host/worker_processes.h"
#include "project/project_file.h"

namespace heddle::project {
namespace {

/// Held while somebody writes into the folder; the system lets go of it when its holder dies.
Result<kept::Handle> lock_folder(const std::string& folder) {
  auto lock = kept::open_lock({folder, "lock"});
  if (!lock) return error(lock.error().message + "; mend the permissions of the folder, or remove it");
  if (flock(lock->get(), LOCK_EX | LOCK_NB) != 0)
    return error("another heddle is capturing into '" + folder + "' right now; wait for it, or stop it");
  return lock;
}

/// What becomes of one command of the database.
struct UnitRecord {
  std::string key;      ///< empty: our clang cannot run the command
  std::string message;  ///< why it failed
  bool is_stored = false;
  bool is_repeated = false;  ///< an earlier command gives the very same unit
};

/// Nothing is compiled: the file says everything.
Result<frontend::ClangCommand> ir_command(const build::CompileCommand& recorded) {
  frontend::ClangCommand command;
  command.directory = recorded.directory;
  command.arguments = {"ir", source_path(recorded)};
  return command;
}

class Capture {
 public:
  Capture(const build::CompileDatabase& database, const CaptureOptions& options)
      : database_(database),
        options_(options),
        folder_(std::filesystem::absolute(options.folder).lexically_normal()),
        store_(folder_.string()),
        records_(database.commands.size()) {}

  Result<Coverage> run() {
    if (auto prepared = store_.prepare(); !prepared) return std::unexpected(prepared.error());
    const auto lock = lock_folder(folder_.string());
    if (!lock) return std::unexpected(lock.error());
    kept::remove_leftovers(folder_.string());
    note_key();
    build::CompilerAnswers answers(folder_.string() + "/compilers.json");
    make_jobs(answers);
    if (auto kept = answers.write(); !kept) return std::unexpected(kept.error());
    if (auto ended = run_jobs(); !ended) return std::unexpected(ended.error());
    if (!not_kept_.empty()) return error(not_kept_ + "; what was captured before is safe");
    collect();
    project_.coverage.skipped = database_.skipped;
    project_.coverage.build_status = database_.build_status;
    if (auto written = write_project_file(folder_.string(), project_); !written)
      return std::unexpected(written.error());
    if (project_.coverage.parsed == 0 && !project_.coverage.interrupted) return error(nothing_captured());
    return std::move(project_.coverage);
  }

 private:
  /// Before there are processes that may not make one.
  void note_key() {
    if (const std::string& trouble = kept::user_key().trouble; !trouble.empty())
      key_note_ = "the key that seals what is kept cannot be kept itself (" + trouble +
                  "), so no other run of heddle will believe this capture; name a file for it with HEDDLE_KEY_FILE";
  }
  [[nodiscard]] bool is_stopped() const { return options_.stop != nullptr && *options_.stop; }

  void make_jobs(build::CompilerAnswers& answers) {
    build::AskRules asks = options_.asks;
    asks.project = folder_.parent_path().string();
    asks.stopped = [this] { return is_stopped(); };
    build::RealCompilers compilers(std::move(asks), &answers);
    const build::RealCompiler no_compiler;
    frontend::FileStates files;
    std::set<std::string> keys;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const build::CompileCommand& recorded = database_.commands[i];
      UnitRecord& record = records_[i];
      const bool is_ir = frontend::is_ir_file(recorded.file);
      const build::RealCompiler& compiler = is_ir || is_stopped() ? no_compiler : compilers.of(recorded);
      if (is_stopped()) break;
      auto command = is_ir ? ir_command(recorded) : frontend::to_clang_command(recorded, compiler);
      if (!command) {
        record.message = command.error().message;
        continue;
      }
      record.key = frontend::UnitStore::key_of(*command);
      record.is_repeated = !keys.insert(record.key).second;
      if (record.is_repeated) repeats_[record.key].push_back(i);
      if (record.is_repeated) continue;
      record.is_stored = store_.state(record.key, files) == frontend::UnitStore::State::Current;
      if (record.is_stored) {
        ++project_.coverage.unchanged;
      } else {
        numbers_.push_back(i);
        jobs_.push_back({recorded, compiler, std::move(*command), record.key});
      }
    }
    project_.coverage.notes = database_.notes;
    if (!key_note_.empty()) project_.coverage.notes.push_back(key_note_);
    for (std::string& note : compilers.notes()) project_.coverage.notes.push_back(std::move(note));
  }

  Result<void> run_jobs() {
    const frontend::CaptureRules rules{folder_.parent_path().string(), options_.keep_bitcode};
    if (is_stopped()) {
      project_.coverage.interrupted = true;
      return {};
    }
    const auto stopped = [&] { return !not_kept_.empty() || is_stopped(); };
    // Compilers read the project's files: they may write what they are meant to, and nothing else.
    const auto prepare = [&] {
      host::confine_to({folder_.string()});
      MemoryLimit(options_.unit_memory).enforce();
    };
    const host::ProcessOptions processes{options_.processes, std::chrono::seconds(options_.unit_seconds), stopped,
                                         prepare};
    CaptureProgress progress;
    progress.done = progress.unchanged = project_.coverage.unchanged;
    progress.total = progress.unchanged + jobs_.size();
    const auto work = [&](std::size_t job) {
      const frontend::UnitOutcome outcome = capture_unit(jobs_[job], store_, rules);
      return static_cast<char>(outcome.kind) + outcome.message;
    };
    const auto done = [&](std::size_t job, const host::JobAnswer& answer) {
      const std::string& file = database_.commands[numbers_[job]].file;
      note_answer(records_[numbers_[job]], file, answer);
      ++progress.done;
      if (!records_[numbers_[job]].is_stored) ++progress.failed;
      progress.file = file;
      if (options_.progress) options_.progress(progress);
    };
    auto ended = host::run_in_processes(jobs_.size(), processes, work, done);
    if (!ended) return std::unexpected(ended.error());
    project_.coverage.interrupted = !*ended;
    return {};
  }

  void note_answer(UnitRecord& record, const std::string& file, const host::JobAnswer& answer) {
    if (!answer.death.empty()) {
      record.message = file + ": error: the process that compiled it " + answer.death;
      return;
    }
    const auto kind = static_cast<frontend::UnitOutcome::Kind>(answer.text.empty() ? 'r' : answer.text[0]);
    record.is_stored = kind == frontend::UnitOutcome::Kind::Stored;
    if (record.is_stored) return;
    record.message = answer.text.substr(1);
    if (kind == frontend::UnitOutcome::Kind::NotKept) not_kept_ = record.message;
  }

  void collect() {
    Coverage& coverage = project_.coverage;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const UnitRecord& record = records_[i];
      if (record.is_repeated) continue;
      ++coverage.tried;
      std::vector<std::string> objects = objects_of(i);
      if (record.is_stored) {
        ++coverage.parsed;
        project_.units.push_back({database_.commands[i].file, record.key, std::move(objects)});
      } else if (!record.message.empty()) {
        coverage.failed.push_back({database_.commands[i].file, record.message, std::move(objects)});
      }
    }
  }

  /// Commands that differ only in their objects are one unit.
  [[nodiscard]] std::vector<std::string> objects_of(std::size_t first) const {
    std::vector<std::string> out = {object_of(database_.commands[first])};
    const auto repeated = repeats_.find(records_[first].key);
    if (repeated == repeats_.end()) return out;
    for (const std::size_t i : repeated->second) out.push_back(object_of(database_.commands[i]));
    return out;
  }

  [[nodiscard]] std::string nothing_captured() const {
    const Coverage& coverage = project_.coverage;
    return "not one of " + std::to_string(coverage.tried) + " units could be captured; the first says:\n" +
           (coverage.failed.empty() ? "nothing" : coverage.failed.front().message);
  }

  const build::CompileDatabase& database_;
  const CaptureOptions& options_;
  std::filesystem::path folder_;
  frontend::UnitStore store_;
  std::vector<UnitRecord> records_;                          ///< one per command
  std::map<std::string, std::vector<std::size_t>> repeats_;  ///< of a key: the commands behind the first
  std::vector<frontend::UnitJob> jobs_;
  std::vector<std::size_t> numbers_;  ///< of each job: its command
  std::string not_kept_, key_note_;
  ProjectFile project_;
};

}  // namespace

Result<Coverage> capture_project(const build::CompileDatabase& database, const CaptureOptions& options) {
  return Capture(database, options).run();
}

}  // namespace heddle::project
