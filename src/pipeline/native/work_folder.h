// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

namespace heddle::pipeline {

/// A folder that is gone when nobody needs it any more; or one that the user named.
class WorkFolder {
 public:
  explicit WorkFolder(std::string named) : path_(std::move(named)) {
    if (!path_.empty()) return;
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-explore-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    is_ours_ = !path_.empty();
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (is_ours_) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool is_ours_ = false;
};

}  // namespace heddle::pipeline
