// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one call of a compiler driver does, read from its arguments the way gcc and clang read them: which files it
// compiles, in which language, into what.
//
//   ccache gcc -O2 a.c b.S -o prog -lm   →   compiles and links; a.c (C), b.S (assembly); output prog
//
// Nothing is run and no file is looked at.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "build/compile_command.h"

namespace heddle::build {

enum class Language {
  C,
  Cxx,
  Header,
  Assembly,
  Other,
  Linked /* objects, archives, linker scripts */,
  Ir /* of LLVM */
};

/// How far the driver goes. Query: `--version`, `-dumpmachine`, `-print-…`, no input at all.
enum class Step { Query, Preprocess, Assembly, Object, Link };

struct DriverInput {
  std::size_t index = 0;  ///< in the arguments
  Language language = Language::Linked;
};

struct DriverCall {
  Step step = Step::Link;
  std::vector<DriverInput> inputs;
  std::string output;  ///< of `-o`
};

/// `arguments` without launchers; [0] is the compiler.
DriverCall read_driver_call(const std::vector<std::string>& arguments);

/// Options of gcc and clang whose value is the next argument: `-o`, `-include`, `-Xclang` …
bool takes_next_argument(std::string_view option);

std::string_view file_name_of(std::string_view path);

/// cc, g++-12, aarch64-linux-gnu-gcc …, or one of `more_names`.
bool is_compiler(std::string_view path, const std::vector<std::string>& more_names = {});

/// A command line of the shell without what stands around the compiler: `cd DIR &&`, `env A=B`, `sh -c '…'`, `libtool
/// --mode=compile`, `ccache`, `distcc`, redirections. Empty arguments: no compiler in it.
struct BareCall {
  std::string directory;
  std::vector<std::string> arguments;
};
BareCall without_launchers(std::string directory, std::vector<std::string> words,
                           const std::vector<std::string>& more_names = {});

}  // namespace heddle::build
