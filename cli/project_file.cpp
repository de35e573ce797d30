// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/project_file.h"

namespace heddle::cli {

namespace fs = std::filesystem;

std::optional<fs::path> find_project_file(const fs::path& folder) {
  std::error_code failure;
  fs::path place = fs::canonical(folder.empty() ? fs::path(".") : folder, failure);
  if (failure) return std::nullopt;
  while (true) {
    const fs::path candidate = place / "heddle.toml";
    if (fs::is_regular_file(candidate, failure)) return candidate;
    if (!place.has_relative_path()) return std::nullopt;
    place = place.parent_path();
  }
}

}  // namespace heddle::cli
