// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One `[[code]]` table -> one CodeRule. Internal to src/api: it shows toml++ types.
//
//   [[code]]
//   file = "openmp.c"
//   functions = ["__kmpc_fork_call"]
//   template = "team"
//   entry = 2
#pragma once
#include <optional>

#include "api/code_rule.h"
#include "api/reader/toml_places.h"

namespace heddle::api {

/// Nothing is returned when anything was wrong; `messages` says what.
[[nodiscard]] std::optional<CodeRule> read_code_rule(const toml::table& table, Messages& messages);

}  // namespace heddle::api
