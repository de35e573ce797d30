// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/prepare_depend.h"

#include <filesystem>

#include "base/read_file.h"
#include "depend/system/published_locals.h"

namespace heddle::pipeline {
namespace {

/// The file of the command line, or that of heddle.toml, which lies relative to it.
Result<std::optional<depend::OilSystem>> load_oil(const DependOptions& options, const api::SystemRules& rules) {
  std::filesystem::path path = options.oil;
  std::string asked = "--oil";
  if (path.empty() && !rules.oil.empty()) {
    asked = rules.oil_place;
    const std::string file = asked.substr(0, asked.rfind(':', asked.rfind(':') - 1));
    path = std::filesystem::path(file).parent_path() / rules.oil;
  }
  if (path.empty()) return std::nullopt;
  const auto read = [](const std::string& name) { return read_given_file(name); };
  const auto text = read(path.string());
  if (!text) return error(asked + ": '" + path.string() + "' " + text.error().message);
  auto oil = depend::read_oil(*text, path.string(), read);
  if (!oil) return std::unexpected(oil.error());
  return std::move(*oil);
}

}  // namespace

Result<PreparedDepend> prepare_depend(const Input& input, const DependOptions& options, const Tell& tell) {
  // sources or captured units -> Program
  Result<Loaded> loaded = read_input(input);
  if (!loaded) return std::unexpected(loaded.error());
  if (tell) tell(loaded->notes);
  depend::publish_locals(loaded->program);
  // what library calls do, and what the project says of its system
  Input with_firmware = input;
  with_firmware.profiles.insert(with_firmware.profiles.begin(), "firmware");
  Result<api::ApiModels> models = load_models(with_firmware, loaded->program);
  if (!models) return std::unexpected(models.error());
  auto oil = load_oil(options, models->system());
  if (!oil) return std::unexpected(oil.error());
  return PreparedDepend{std::move(*loaded), std::move(*models), std::move(*oil)};
}

Result<depend::System> system_of(const PreparedDepend& prepared) {
  return depend::System::make(prepared.loaded.program, prepared.models, prepared.oil ? &*prepared.oil : nullptr);
}

}  // namespace heddle::pipeline
