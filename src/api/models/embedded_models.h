// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of models/ as the build put them into the binary (cmake/embed_models.cmake), sorted by name.
#pragma once
#include <span>
#include <string_view>

namespace heddle::api {

struct EmbeddedModel {
  std::string_view file;  ///< `models/pthread.toml`
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedModel> embedded_models();

}  // namespace heddle::api
