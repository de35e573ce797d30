// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "base/result.h"

namespace heddle::project {

/// How the objects of a program become a program.
struct LinkJob {
  std::string driver = {};     ///< the recorded one, as it was typed; empty: any
  std::string directory = {};  ///< to link in; empty: this one
  std::string project = {};    ///< nothing below this folder is started
  bool is_cxx = false;
  bool needs_clang = false;                      ///< gcc's own libraries do not fit (OpenMP)
  std::vector<std::string> arguments = {};       ///< objects, libraries, flags (link_arguments.h)
  std::string runtime = {};                      ///< the archive
  std::vector<std::string> behind_runtime = {};  ///< further libraries that are linked as a whole
  std::string exports = {};                      ///< a file with the symbols that shared libraries find in the program
  std::string output = {};
};

/// Links with the recorded compiler, if it is one that may be started (host/program_file.h: it lies in a folder of the
/// system or of PATH, outside of the project, and only the user and root can change it), else with clang, cc or gcc.
/// `notes` gets what was done otherwise than recorded.
Result<void> link_program(const LinkJob& job, std::vector<std::string>& notes);

}  // namespace heddle::project
