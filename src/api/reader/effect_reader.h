// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One entry of an `effects` list -> one Effect, checked against the schema. Internal to src/api: it shows toml++ types.
#pragma once
#include <optional>
#include <string>

#include "api/effect.h"
#include "api/reader/toml_places.h"

namespace heddle::api {

/// `owner` is for messages: `model of 'pthread_join'`. Nothing is returned when anything was wrong; `messages` says
/// what.
[[nodiscard]] std::optional<Effect> read_effect(const toml::node& node, const std::string& owner, Messages& messages);

}  // namespace heddle::api
