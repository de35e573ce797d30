// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/program_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace heddle::host {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_of_path() {
  const char* path = std::getenv("PATH");
  std::istringstream all(path == nullptr ? "" : path);
  std::vector<fs::path> out;
  for (std::string folder; std::getline(all, folder, ':');)
    if (folder.starts_with('/')) out.emplace_back(fs::path(folder).lexically_normal());
  return out;
}

bool is_program(const fs::path& file) {
  std::error_code failure;
  return fs::is_regular_file(file, failure) && access(file.c_str(), X_OK) == 0;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  if (folder.empty() || folder == "/") return false;
  const fs::path rest = file.lexically_relative(folder);
  return !rest.empty() && *rest.begin() != "..";
}

bool is_of_system(const fs::path& file) {
  constexpr const char* places[] = {"/usr", "/bin", "/sbin", "/lib", "/opt", "/nix/store", "/gnu/store", "/snap"};
  return std::ranges::any_of(places, [&](const char* place) { return is_below(file, place); });
}

bool is_on_path(const fs::path& program) {
  std::error_code failure;
  const fs::path folder = program.parent_path().lexically_normal();
  return std::ranges::any_of(folders_of_path(), [&](const fs::path& known) {
    return known == folder || known == folder / "" || fs::equivalent(known, folder, failure);
  });
}

}  // namespace

fs::path program_file(const std::string& name, const std::string& directory) {
  if (name.contains('/')) {
    const fs::path file = (fs::path(directory) / name).lexically_normal();
    return is_program(file) ? file : fs::path();
  }
  for (const fs::path& folder : folders_of_path())
    if (is_program(folder / name)) return folder / name;
  return {};
}

bool is_in_own_hands(const fs::path& file) {
  struct stat status{};
  if (stat(file.c_str(), &status) != 0) return false;
  const bool is_shared_folder =
      S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;  // others cannot rename there
  return (status.st_uid == 0 || status.st_uid == geteuid()) && ((status.st_mode & S_IWOTH) == 0 || is_shared_folder);
}

std::string why_not_to_start(const fs::path& program, const fs::path& project) {
  std::error_code failure;
  const fs::path real = fs::canonical(program, failure);
  if (failure) return "is not here";
  const fs::path root = fs::weakly_canonical(project, failure);
  if (is_below(program, project) || is_below(program, root) || is_below(real, root))
    return "lies in the project and is not run";
  if (!is_of_system(program) && !is_on_path(program)) return "lies outside of the system's folders and is not run";
  for (fs::path place = real; place.has_relative_path(); place = place.parent_path())
    if (!is_in_own_hands(place)) return "can be changed by other users and is not run";
  return {};
}

}  // namespace heddle::host
