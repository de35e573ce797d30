// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "project/coverage.h"

namespace heddle::project {

struct ProjectUnit {
  std::string file;                  ///< as its command names it
  std::string key;                   ///< in the unit store
  std::vector<std::string> objects;  ///< what it became in the build, as link steps name it (link_steps.h)
};

/// .heddle/project.json: which units a captured project has, and how much of it that is.
struct ProjectFile {
  std::vector<ProjectUnit> units;  ///< in the order of the commands
  Coverage coverage;
};

Result<void> write_project_file(const std::string& folder, const ProjectFile& project);
/// A missing or damaged file is an error that says what to do.
Result<ProjectFile> read_project_file(const std::string& folder);

}  // namespace heddle::project
