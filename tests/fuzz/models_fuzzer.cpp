// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a file of models: messages with their place, or models that print, are found by name and read back the
// same. An empty corpus folder gets the paragraphs of the shipped files first. Build with the preset `fuzz`, target
// models_fuzzer.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "api/models/api_models.h"
#include "api/models/embedded_models.h"
#include "api/models/model_listing.h"
#include "api/reader/model_reader.h"
#include "api/reader/model_text.h"

namespace {

namespace fs = std::filesystem;
using namespace heddle::api;

void must(bool condition) {
  if (!condition) std::abort();
}

void write_seeds(const fs::path& folder) {
  std::size_t number = 0;
  for (const EmbeddedModel& model : embedded_models()) {
    std::string_view rest = model.text;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find("\n\n"), rest.size());
      std::ofstream(folder / std::to_string(number++)) << rest.substr(0, end) << '\n';
      rest.remove_prefix(std::min(end + 2, rest.size()));
    }
  }
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
  const auto file = read_models(text, "fuzz.toml");
  ApiModels models;
  must(models.add_toml(text, "fuzz.toml").has_value() == file.has_value());
  if (!file) {
    must(file.error().message.starts_with("fuzz.toml:"));
    return 0;
  }
  must(list_models(models).size() == file->models.size());
  std::string written;
  for (const Model& model : file->models) {
    const bool is_prefix = model.name.ends_with('*');
    const Model* found = models.find(is_prefix ? model.name.substr(0, model.name.size() - 1) : model.name);
    must(found != nullptr && (is_prefix || *found == model));
    must(!describe_model(model).effects.empty());
    written += toml_model(model);
  }
  const auto again = read_models(written, "fuzz.toml");
  must(again.has_value() && again->models == file->models);
  return 0;
}
