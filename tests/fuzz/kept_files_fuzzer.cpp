// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a kept file with the right seal, and without one: an error, or something that can be used. The first
// byte says which file. (Unit files have a target of their own.) Build with the preset `fuzz`, target
// kept_files_fuzzer; HEDDLE_KEY_FILE should name a key for it.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/kept/kept_file.h"
#include "build/compile_database.h"
#include "build/compiler_answers.h"
#include "build/link_steps.h"
#include "project/project_file.h"
#include "report/report_form.h"
#include "store/record_store.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;

void must(bool condition) {
  if (!condition) std::abort();
}

/// Where the files are written; in memory, if the machine has such a place.
const std::string& scratch() {
  static const std::string folder = [] {
    std::string name = fs::is_directory("/dev/shm") ? "/dev/shm/heddle-fuzz-XXXXXX" : "/tmp/heddle-fuzz-XXXXXX";
    must(mkdtemp(name.data()) != nullptr);
    fs::create_directory(name + "/summaries");
    return name;
  }();
  return folder;
}

void keep(const std::string& name, std::string_view content) {
  must(kept::write_kept({scratch(), name}, content, kept::Durability::Passing).has_value());
}

void read_project(std::string_view content) {
  keep("project.json", content);
  const auto project = project::read_project_file(scratch());
  if (!project) return must(!project.error().message.empty());
  must(project::write_project_file(scratch(), *project).has_value());
  const auto again = project::read_project_file(scratch());
  must(again.has_value() && again->units.size() == project->units.size());
}

void read_links(std::string_view content) {
  keep("links.json", content);
  const auto links = build::read_link_steps(scratch());
  if (!links) return must(!links.error().message.empty());
  for (const build::LinkStep& step : *links) build::objects_of(step, *links);
}

void read_records(std::string_view content) {
  keep("summaries/records", content);
  store::RecordStore store(scratch() + "/summaries", "maker");
  store::RecordStore::Reader reader(store);
  for (std::uint64_t i = 0; i < 4; ++i)
    if (const auto found = reader.find(Hasher().add(i).finish())) report_of_bytes(*found);
}

void read_commands(std::string_view content) {
  must(kept::write_unsealed({scratch(), "commands.json"}, content).has_value());
  keep("commands.seal", kept::seal_of("commands.json", content).mac.hex());
  static_cast<void>(build::kept_compile_commands(scratch()));
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) {
    const fs::path folder = (*words)[i];
    if (!fs::is_directory(folder) || !fs::is_empty(folder)) continue;
    project::ProjectFile project;
    project.units = {{"a.c", std::string(32, 'a'), {"a.o"}}};
    must(project::write_project_file(scratch(), project).has_value());
    std::ofstream(folder / "project") << '0' << kept::read_kept({scratch(), "project.json"}).value_or("");
    build::LinkStep step;
    step.output = "/p/prog";
    step.inputs = {"/p/a.o"};
    must(build::write_link_steps(scratch(), {step}).has_value());
    std::ofstream(folder / "links") << '1' << kept::read_kept({scratch(), "links.json"}).value_or("");
    {
      store::RecordStore store(scratch() + "/summaries", "maker");
      for (std::uint64_t record = 0; record < 3; ++record) store.put(Hasher().add(record).finish(), to_bytes({}));
      store.commit();
    }
    std::ofstream(folder / "records") << '2' << kept::read_kept({scratch(), "summaries/records"}).value_or("");
    std::ofstream(folder / "report") << '3' << to_bytes({});
    std::ofstream(folder / "compilers") << R"(4{"version": "2", "answers": [{"question": "cc\n-E\n", "compiler": "x",
 "properties": "gcc", "triple": "t", "standard": "gnu17", "defines": ["A=1"], "folders": [""], "own_folders": [],
 "absent_folders": []}]})";
    std::ofstream(folder / "commands") << R"(5[{"directory": "/p", "file": "a.c", "arguments": ["cc", "-c", "a.c"]}])";
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view content(reinterpret_cast<const char*>(data + 1), size - 1);
  switch ((data[0] - '0') % 7) {
    case 0: read_project(content); break;
    case 1: read_links(content); break;
    case 2: read_records(content); break;
    case 3:
      if (const auto report = report_of_bytes(content)) must(report_of_bytes(to_bytes(*report)).has_value());
      break;
    case 4:
      keep("compilers.json", content);
      static_cast<void>(build::CompilerAnswers(scratch() + "/compilers.json").find({"cc", "-E"}, "/"));
      break;
    case 5: read_commands(content); break;
    default:
      must(kept::write_unsealed({scratch(), "any"}, content).has_value());
      must(!kept::read_kept({scratch(), "any"}).has_value());
  }
  return 0;
}
