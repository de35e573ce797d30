// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One `[[entry]]` table -> one EntryRule. Internal to src/api: it shows toml++ types.
//
//   [[entry]]
//   member_of = "work_struct"
//   members = ["func"]
//   context = "work"
#pragma once
#include <optional>

#include "api/effect.h"
#include "api/reader/toml_places.h"

namespace heddle::api {

/// Nothing is returned when anything was wrong; `messages` says what.
[[nodiscard]] std::optional<EntryRule> read_entry_rule(const toml::table& table, Messages& messages);

}  // namespace heddle::api
