// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace heddle::project {

struct UnitFailure {
  std::string file;
  std::string message;               ///< the compiler's own
  std::vector<std::string> objects;  ///< what it was to become, as link steps name it (link_steps.h)
};

/// What every result begins with: how much of the program it speaks of.
struct Coverage {
  std::size_t tried = 0;
  std::size_t parsed = 0;           ///< unchanged ones included
  std::size_t unchanged = 0;        ///< taken from an earlier capture
  std::vector<UnitFailure> failed;  ///< in the order of the commands
  std::size_t skipped = 0;          ///< files that the build compiles and heddle does not: assembly, other languages
  std::vector<std::string> notes;   ///< what was left out and why
  bool interrupted = false;
  int build_status = 0;  ///< of the build that was watched; not 0: it is not finished
};

}  // namespace heddle::project
