// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/native_builder.h"

#include <algorithm>
#include <filesystem>

#include "base/kept/user_key.h"
#include "base/write_file.h"
#include "host/confine.h"
#include "host/worker_processes.h"
#include "project/native/runtime_archive.h"
#include "project/native/tsan_library.h"

namespace heddle::project {

void NativeBuilder::note_definitions(const std::vector<std::string>& names) {
  hooks_.defined.insert(names.begin(), names.end());
}

Result<void> NativeBuilder::prepare() {
  std::error_code failure;
  folder_ = std::filesystem::absolute(how_.folder, failure).lexically_normal().string();
  std::filesystem::create_directories(folder_, failure);
  if (failure) return error("the folder '" + how_.folder + "' cannot be made: " + failure.message());
  hooks_.hook_all = how_.hook_all;
  hooks_.tell_ways = how_.tell_ways;
  hooks_.with_tsan = how_.with_tsan;
  objects_.emplace(folder_, models_, hooks_);
  return objects_->prepare();
}

/// In a process of its own. The answer: whether it was there (`r`) or is made now (`m`) and its key, or `e` and what
/// went wrong.
std::string NativeBuilder::make(std::size_t number, const UnitReader& read) const {
  const auto unit = read(number);
  if (!unit) return "e" + unit.error().message;
  const Program* names = unit->names ? &*unit->names : nullptr;
  const std::string key = objects_->key_of(unit->code, names);
  if (objects_->find(key)) return "r" + key;
  const auto made = instrument::instrument(unit->code, names, models_, hooks_);
  if (!made) return "e" + made.error().message;
  const auto kept = objects_->put(key, *made);
  return kept ? "m" + key : "e" + kept.error().message;
}

Result<std::string> NativeBuilder::take(const std::string& answer) {
  const std::string key = answer.substr(1);
  const auto unit = objects_->find(key);
  if (!unit)
    return error(objects_->object_path(key) + ": cannot be read again; the disk does not keep what is written");
  ++out_.units;
  out_.reused += answer[0] == 'r' ? 1 : 0;
  out_.counts += unit->counts;
  for (const AccessRow& row : unit->accesses.rows()) accesses_.add(row);
  return objects_->object_path(key);
}

Result<std::vector<std::string>> NativeBuilder::add(std::size_t units, const UnitReader& read) {
  kept::user_key();  // before there are processes that may not make one
  std::vector<std::string> answers(units);
  const auto done = [&](std::size_t unit, const host::JobAnswer& answer) {
    answers[unit] = answer.death.empty() ? answer.text : "ethe process that instrumented it " + answer.death;
  };
  const auto has_failed = [&] {
    return std::ranges::any_of(answers, [](const std::string& answer) { return answer.starts_with('e'); });
  };
  const host::ProcessOptions processes{
      .processes = how_.processes, .stopped = has_failed, .prepare = [&] { host::confine_to({folder_}); }};
  const auto ended = host::run_in_processes(units, processes, [&](std::size_t unit) { return make(unit, read); }, done);
  if (!ended) return std::unexpected(ended.error());
  for (const std::string& answer : answers)
    if (answer.starts_with('e')) return error(answer.substr(1));
  std::vector<std::string> objects;
  for (const std::string& answer : answers) {
    auto object = take(answer);
    if (!object) return std::unexpected(object.error());
    objects.push_back(std::move(*object));
  }
  return objects;
}

/// What the runtime defines, a shared library that is loaded later finds in the program.
Result<void> NativeBuilder::write_exports(const std::string& runtime) const {
  const auto symbols = symbols_of_archive(runtime);
  if (!symbols) return std::unexpected(symbols.error());
  std::string text = "{\n";
  for (const std::string& symbol : *symbols) text += "  \"" + symbol + "\";\n";
  return write_file(path("exports"), text + "};\n");
}

Result<NativeProgram> NativeBuilder::finish(LinkJob job, std::vector<std::string> notes) {
  out_.notes = std::move(notes);
  const auto runtime = how_.runtime.empty() ? runtime_archive() : Result<std::string>(how_.runtime);
  if (!runtime) return std::unexpected(runtime.error());
  if (auto written = write_exports(*runtime); !written) return std::unexpected(written.error());
  std::error_code failure;
  job.runtime = std::filesystem::absolute(*runtime, failure).string();
  job.exports = path("exports");
  job.output = out_.program = path("program");
  if (how_.with_tsan) {
    auto words = tsan_link_words();
    if (!words) return std::unexpected(words.error());
    job.behind_runtime = std::move(*words);
  }
  if (auto linked = link_program(job, out_.notes); !linked) return std::unexpected(linked.error());
  accesses_.finish();
  out_.table = path("accesses");
  if (auto written = write_file(out_.table, accesses_.to_text()); !written) return std::unexpected(written.error());
  return std::move(out_);
}

}  // namespace heddle::project
