// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models as TOML, in the form that read_models takes: what was written reads back as it was.
//
//   [[function]]
//   name = "qemu_mutex_lock_impl"
//   effects = [{ acquire = 0 }]
#pragma once
#include <string>
#include <string_view>

#include "api/effect.h"

namespace heddle::api {

/// A basic string with its quotes; bytes that are not UTF-8, which TOML cannot hold, stay as they are.
[[nodiscard]] std::string toml_string(std::string_view text);

/// One entry of an `effects` list: `{ acquire = 0, blocking = false }`.
[[nodiscard]] std::string toml_effect(const Effect& effect);

/// A `[[function]]` table, with a line end.
[[nodiscard]] std::string toml_model(const Model& model);

}  // namespace heddle::api
