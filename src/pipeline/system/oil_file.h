// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>
#include <string>

#include "api/system_rules.h"
#include "base/result.h"
#include "depend/system/oil_reader.h"

namespace heddle::pipeline {

/// The file that was asked for, or that of heddle.toml, which lies relative to it; empty: there is none.
[[nodiscard]] std::string oil_path(const std::string& asked, const api::SystemRules& rules);

/// What it says.
Result<std::optional<depend::OilSystem>> load_oil(const std::string& asked, const api::SystemRules& rules);

}  // namespace heddle::pipeline
