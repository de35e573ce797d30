// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <filesystem>
#include <optional>

namespace heddle::cli {

/// Where a captured project is kept, in the current folder.
inline constexpr const char* project_folder = ".heddle";

/// The nearest `heddle.toml` in `folder` or a folder above it; an empty path is the current folder.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& folder);

}  // namespace heddle::cli
