// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions that tests of several stages call, one per primitive: what each does has one description. What only
// one stage has a test for, or wants otherwise, stands in that test.
#pragma once
#include <stdexcept>
#include <string_view>

#include "api/models/api_models.h"

namespace heddle::api {

inline constexpr std::string_view common_models = R"(
[[function]]
name = "lib_handler"
effects = [{ root = 0, parameter = 1, context = "hardirq" }]
[[function]]
name = "lib_set"
effects = [{ tls_set = 0, value = 1 }]
[[function]]
name = "lib_get"
effects = [{ tls_get = 0 }]
[[function]]
name = "lib_grow"
effects = [{ reallocate = 0, length = "arg 1" }]
[[function]]
name = "lib_put"
effects = [{ write_reachable = 0 }]
[[function]]
name = "lib_load"
effects = [{ atomic_read = 0, length = 8 }]
[[function]]
name = "lib_store"
effects = [{ atomic_write = 0, length = 8, value = 1 }]
[[function]]
name = "lib_copy"
effects = [{ copy = 0, from = 1 }]
[[function]]
name = "lib_end_of"
effects = [{ stores_into = 0, from = 1 }]
[[function]]
name = "lib_same"
effects = [{ returns = 0 }]
[[function]]
name = "lib_within"
effects = [{ returns_into = 0 }]
[[function]]
name = "lib_below"
effects = [{ returns_reachable = 0 }]
[[function]]
name = "lib_signal"
effects = [{ unsupported = "signal handler", entry = 0 }]
[[function]]
name = "lib_map"
effects = [
  { unsupported = "a place of one's own", argument = 0, except = 0 },
  { unsupported = "a shared file", argument = 1, except = -1, flags = 2, bits = 1 },
]
[[function]]
name = "lib_read"
effects = [{ read = 0, length = 4 }]
[[function]]
name = "lib_mask"
effects = [{ mask = "hardirq" }]
)";

/// The shipped models, those above, and the test's own.
inline ApiModels models_with(std::string_view own, Result<ApiModels> models = ApiModels::shipped()) {
  if (!models) throw std::runtime_error(models.error().message);
  for (const std::string_view text : {common_models, own})
    if (const auto added = models->add_toml(text, "test.toml"); !added) throw std::runtime_error(added.error().message);
  return std::move(*models);
}

}  // namespace heddle::api
