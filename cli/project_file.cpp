// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/project_file.h"

#include "cli/command.h"
#include "host/program_file.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// The nearest folder, from `folder` upwards, for which `is_it` holds.
template <class Test>
std::optional<fs::path> find_upwards(const fs::path& folder, Test is_it) {
  std::error_code failure;
  fs::path place = fs::canonical(folder.empty() ? fs::path(".") : folder, failure);
  if (failure) return std::nullopt;
  while (!is_it(place)) {
    if (!place.has_relative_path()) return std::nullopt;
    place = place.parent_path();
  }
  return place;
}

bool has_project(const fs::path& place) {
  std::error_code failure;
  return fs::exists(place / project_folder / "project.json", failure);
}

}  // namespace

std::optional<std::string> captured_project() {
  if (has_project(".")) return project_folder;
  const auto found = find_upwards(".", [](const fs::path& place) {
    return has_project(place) && host::is_in_own_hands(place / project_folder) &&
           host::is_in_own_hands(place / project_folder / "project.json");
  });
  if (!found) return std::nullopt;
  return (*found / project_folder).string();
}

std::optional<fs::path> find_project_file(const fs::path& folder) {
  const auto has_file = [](const fs::path& place) {
    std::error_code failure;
    return fs::is_regular_file(place / "heddle.toml", failure);
  };
  const auto found = find_upwards(folder, has_file);
  if (!found) return std::nullopt;
  const fs::path file = *found / "heddle.toml";
  if (host::is_in_own_hands(file) && host::is_in_own_hands(*found)) return file;
  print_notes({"'" + file.string() + "' is not read: it belongs to another user, or others may write it"});
  return std::nullopt;
}

}  // namespace heddle::cli
