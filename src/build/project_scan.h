// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at the files of a project's folder and guesses how it is built. Nothing is run.
//
//   meson.build, no compile_commands.json   →   meson; first `meson setup build`, then `heddle capture -p build`
#pragma once
#include <string>
#include <vector>

namespace heddle::build {

struct ProjectScan {
  std::string kind;                 ///< "CMake", "autotools", …; empty if nothing was recognised
  std::string evidence;             ///< the file that says so
  std::string database;             ///< a compile_commands.json that is already there, relative; or empty
  std::vector<std::string> before;  ///< commands to type first, in this order
  std::vector<std::string> build;   ///< the build to watch, in words; empty if `database` is better
  std::vector<std::string> others;  ///< other build systems that were seen
};

ProjectScan scan_project(const std::string& folder);

/// A heddle.toml for it: what was found, and the other choices as comments.
std::string project_file_text(const ProjectScan& scan);

}  // namespace heddle::build
