// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a project's heddle.toml: messages with their place, or settings that a heddle.toml as `heddle init`
// writes it gives back. An empty corpus folder gets such files first. Build with the preset `fuzz`, target
// heddle_toml_fuzzer.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "api/models/api_models.h"
#include "api/reader/model_reader.h"
#include "build/project_scan.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle;

void must(bool condition) {
  if (!condition) std::abort();
}

void write_seeds(const fs::path& folder) {
  std::ofstream(folder / "nothing") << build::project_file_text({});
  std::ofstream(folder / "build") << build::project_file_text(
      {"CMake", "CMakeLists.txt", "", {"cmake -B build"}, {"cmake", "--build", "build"}, {"Makefile"}});
  std::ofstream(folder / "database") << build::project_file_text({"", "", "build/compile_commands.json", {}, {}, {}});
  std::ofstream(folder / "all") << "[capture]\ncompilers = [\"mycc\"]\nbuild = [\"make\"]\ndatabase = \"c.json\"\n"
                                   "[profile]\natomic_functions = [\"a_\"]\nclosed_programs = [\"c_\"]\n"
                                   "[[function]]\nnames = [\"f\", \"g*\"]\neffects = [{ acquire = 0 }]\n";
}

/// What `heddle init` writes for such a project says the same again.
void check_written(const api::CaptureSettings& settings) {
  build::ProjectScan scan;
  scan.kind = scan.evidence = settings.build.empty() ? "" : "make";
  scan.database = settings.database;
  scan.build = settings.build;
  const auto again = api::read_models(build::project_file_text(scan), "again.toml");
  must(again.has_value() && again->models.empty() && again->capture.database == settings.database);
  if (settings.database.empty()) must(again->capture.build == settings.build);
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  for (int i = 1; i < *count; ++i) {
    const fs::path folder = (*words)[i];
    if (!fs::is_directory(folder) || !fs::is_empty(folder)) continue;
    write_seeds(folder);
    break;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = api::read_models(text, "heddle.toml");
  if (!file) {
    must(file.error().message.starts_with("heddle.toml:"));
    return 0;
  }
  check_written(file->capture);
  api::ApiModels models;
  must(models.add_toml(text, "heddle.toml").has_value());
  for (const std::string& prefix : file->atomic_prefixes) must(models.is_atomic_function(prefix + "x"));
  return 0;
}
