// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/native_builder.h"

#include <filesystem>

#include "base/write_file.h"
#include "project/native/runtime_archive.h"

namespace heddle::project {

void NativeBuilder::note_definitions(const std::vector<std::string>& functions) {
  hooks_.defined.insert(functions.begin(), functions.end());
}

Result<void> NativeBuilder::prepare() {
  std::error_code failure;
  folder_ = std::filesystem::absolute(how_.folder, failure).lexically_normal().string();
  std::filesystem::create_directories(folder_, failure);
  if (failure) return error("the folder '" + how_.folder + "' cannot be made: " + failure.message());
  hooks_.hook_all = how_.hook_all;
  objects_.emplace(folder_, models_, hooks_);
  return objects_->prepare();
}

Result<std::string> NativeBuilder::add(const instrument::UnitCode& code, const Program* names) {
  const std::string key = objects_->key_of(code, names);
  auto unit = objects_->find(key);
  if (unit) {
    ++out_.reused;
  } else {
    auto made = instrument::instrument(code, names, models_, hooks_);
    if (!made) return std::unexpected(made.error());
    if (auto kept = objects_->put(key, *made); !kept) return std::unexpected(kept.error());
    unit = std::move(*made);
  }
  ++out_.units;
  out_.counts += unit->counts;
  for (const AccessRow& row : unit->accesses.rows()) accesses_.add(row);
  return objects_->object_path(key);
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
  if (auto linked = link_program(job, out_.notes); !linked) return std::unexpected(linked.error());
  accesses_.finish();
  out_.table = path("accesses");
  if (auto written = write_file(out_.table, accesses_.to_text()); !written) return std::unexpected(written.error());
  return std::move(out_);
}

}  // namespace heddle::project
