// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <filesystem>
#include <optional>
#include <string>

namespace heddle::cli {

/// Where a captured project is kept, in the folder it was captured in.
inline constexpr const char* project_folder = ".heddle";

/// The captured project that is meant here: that of the current folder or of the nearest one above it that belongs to
/// the user; nothing: none was captured. Folders of others are not taken: what lies in them may be meant to mislead.
std::optional<std::string> captured_project();

/// The nearest `heddle.toml` in `folder` or a folder above it; an empty path is the current folder.
std::optional<std::filesystem::path> find_project_file(const std::filesystem::path& folder);

}  // namespace heddle::cli
