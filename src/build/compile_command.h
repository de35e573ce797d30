// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

namespace heddle::build {

/// One call of a compiler for one source file, as the build made it. Launchers (ccache, libtool, env …) are taken off
/// and response files are put in; nothing else is changed.
///
///   directory /home/me/proj/build   file ../src/a.c   output a.o   arguments gcc -O2 -I../include -c ../src/a.c -o a.o
struct CompileCommand {
  std::string directory;               ///< absolute; every relative path of the command means it
  std::string file;                    ///< the source, as the command names it
  std::string output;                  ///< the object file, empty if the command does not say
  std::vector<std::string> arguments;  ///< [0] is the compiler as it was called
};

/// The source as an absolute path without `.` and `..`.
std::string source_path(const CompileCommand& command);

}  // namespace heddle::build
