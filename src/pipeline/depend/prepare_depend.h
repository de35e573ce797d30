// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>

#include "api/models/api_models.h"
#include "depend/system/oil_reader.h"
#include "depend/system/system.h"
#include "pipeline/depend/depend.h"

namespace heddle::pipeline {

/// What every kind of `heddle depend` begins with.
struct PreparedDepend {
  Loaded loaded;
  api::ApiModels models;
  std::optional<depend::OilSystem> oil;
};

Result<PreparedDepend> prepare_depend(const Input& input, const DependOptions& options, const Tell& tell);
/// Entries, priorities, masks.
Result<depend::System> system_of(const PreparedDepend& prepared);

}  // namespace heddle::pipeline
