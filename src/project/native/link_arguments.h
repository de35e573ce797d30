// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arguments of a link that may be said again when the program is linked with hooks: libraries, where they are,
// machine, and what the linker is told. Everything else stays out: what compiles, what writes further files, what takes
// symbols off, and what makes a compiler or linker start another program (-B, -specs, plugins, -fuse-ld=PATH).
//
//   gcc -O2 -flto -s -Llib main.o -lutil -Wl,-Map,x.map -o prog   →   -Llib, main.o, -lutil
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "build/driver_call.h"

namespace heddle::project {

struct LinkArguments {
  std::vector<std::string> kept;
  std::vector<std::string> dropped;  ///< that change what is linked: worth a note
};

/// What stands for an input or a library of the recorded link; empty: nothing.
struct LinkParts {
  std::function<std::vector<std::string>(const std::string& argument, build::Language language)> input;
  /// `-lNAME`, with the folders of `-L` so far; nothing: as it is.
  std::function<std::vector<std::string>(const std::string& name, const std::vector<std::string>& folders)> library;
};

/// `arguments`: with the driver in front.
LinkArguments link_arguments(const std::vector<std::string>& arguments, const LinkParts& parts);

/// Those of the user's compile flags that a linker needs, too.
LinkArguments link_arguments_of_flags(const std::vector<std::string>& flags);

}  // namespace heddle::project
