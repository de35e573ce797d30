// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/instrument.h"

namespace heddle::pipeline {

Result<project::NativeProgram> instrument(const Input& input, const project::NativeOptions& how) {
  const auto models = load_models(input);
  if (!models) return std::unexpected(models.error());
  if (input.sources.empty()) return project::build_instrumented_project(input.project, input.program, *models, how);
  return project::build_instrumented(input.sources, input.frontend, *models, how);
}

}  // namespace heddle::pipeline
