// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/lower/locations.h"

#include <filesystem>

namespace heddle::frontend {
namespace {

/// `/usr/include/stdio.h` for `/usr/lib/gcc/../../include/stdio.h`, if that is the same file.
std::string without_detours(const std::string& path) {
  if (path.find("/../") == std::string::npos) return path;
  const std::filesystem::path shorter = std::filesystem::path(path).lexically_normal();
  std::error_code failure;
  return std::filesystem::equivalent(path, shorter, failure) && !failure ? shorter.string() : path;
}

}  // namespace

FileId Locations::file_of(const llvm::DIFile* file) {
  if (file == nullptr) return {};
  std::string path = file->getFilename().str();
  // Clang splits a shared prefix off into the directory; `/` is the one we told it to run in and means "as given".
  const std::string folder = file->getDirectory().str();
  if (!folder.empty() && folder != "/" && !std::filesystem::path(path).is_absolute())
    path = (std::filesystem::path(folder) / path).string();
  path = without_detours(path);
  const auto [it, is_new] = files_.try_emplace(path);
  if (is_new) it->second = program_.files.add({program_.arena.text(path)});
  return it->second;
}

LocationId Locations::intern(Key key) {
  const auto [it, is_new] = known_.try_emplace(key);
  if (is_new) {
    const Key& k = it->first;
    it->second = program_.locations.add({k.file, k.line, k.column, k.inlined_at});
  }
  return it->second;
}

LocationId Locations::of(const llvm::DILocation* location) {
  if (location == nullptr || location->getLine() == 0) return {};
  Key key{file_of(location->getFile()), location->getLine(), location->getColumn(), {}};
  if (const llvm::DILocation* outer = location->getInlinedAt()) key.inlined_at = of(outer);
  return intern(key);
}

LocationId Locations::of(const llvm::DIFile* file, unsigned line) {
  if (file == nullptr || line == 0) return {};
  return intern({file_of(file), line, 0, {}});
}

}  // namespace heddle::frontend
