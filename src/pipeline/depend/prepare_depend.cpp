// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/depend/prepare_depend.h"

#include "depend/system/published_locals.h"
#include "pipeline/system/oil_file.h"

namespace heddle::pipeline {

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
  auto oil = load_oil(options.oil, models->system());
  if (!oil) return std::unexpected(oil.error());
  return PreparedDepend{std::move(*loaded), std::move(*models), std::move(*oil)};
}

Result<depend::System> system_of(const PreparedDepend& prepared) {
  return depend::System::make(prepared.loaded.program, prepared.models, prepared.oil ? &*prepared.oil : nullptr);
}

}  // namespace heddle::pipeline
