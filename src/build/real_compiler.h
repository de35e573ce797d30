// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler that a build really used, asked what it takes for granted: its target, where its headers are, its
// default language standard, whether char is signed. Our clang is then told the same.
//
//   arm-linux-gnueabihf-gcc -mthumb   →   triple arm-linux-gnueabihf, /usr/arm-linux-gnueabihf/include, gnu17,
//                                         unsigned char
//
// One run of the compiler (`-E -dM -v` on nothing) for each compiler, language and set of flags that decide such
// things. Only programs whose name is a compiler's are ever run, and only where AskRules let them: a project names its
// compilers, and it is the user who decides what is started. No flag is handed on that makes a compiler start something
// else (-B, -specs).
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "build/compile_command.h"

namespace heddle::build {

struct RealCompiler {
  enum class Kind { Gcc, Clang, Missing /* not here any more, or not understood */ };
  Kind kind = Kind::Missing;
  std::string triple;  ///< for a missing one, guessed from its name; may be empty
  /// Where `#include <…>` looks, in order, without the folders the user named. An empty text stands for the headers
  /// that belong to the compiler itself (stddef.h, intrinsics), which are clang's own in our case.
  std::vector<std::string> system_folders;
  std::vector<std::string> own_folders;     ///< those it has for the empty text
  std::vector<std::string> absent_folders;  ///< where it would look, too, if they existed
  std::vector<std::string> defines;         ///< NAME=VALUE, only those a vendor built into the compiler
  std::string standard;                     ///< the default one, as for -std=
  bool char_is_unsigned = false;
  bool enums_are_short = false;   ///< an enum takes no more bytes than its values need: arm-none-eabi
  bool merges_tentative = false;  ///< `int x;` in two units is one variable: gcc before 10
  std::string note;               ///< why it is missing
};

class CompilerAnswers;

/// Which compilers may be started.
struct AskRules {
  std::vector<std::string> more_names = {};  ///< are compilers, too
  /// What the user allows wherever it lies: a name, or a pattern for a whole path (`/home/me/tools/*/bin/*gcc`).
  std::vector<std::string> allowed = {};
  std::string project = {};            ///< nothing below this folder is started, unless it is allowed
  bool is_silent = false;              ///< none is started: kept answers alone
  std::function<bool()> stopped = {};  ///< true: the one that is being asked is given up
};

class RealCompilers {
 public:
  /// `kept`: where answers are looked for first and left.
  explicit RealCompilers(AskRules rules = {}, CompilerAnswers* kept = nullptr)
      : rules_(std::move(rules)), kept_(kept) {}

  /// Asked once; the reference stays valid. Not for several threads at a time.
  const RealCompiler& of(const CompileCommand& command);

  /// One line for each compiler that could not be asked.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  RealCompiler find_out(const std::vector<std::string>& question, const std::string& directory, bool is_cxx) const;

  [[nodiscard]] RealCompiler ask(const std::vector<std::string>& question, const std::string& directory,
                                 bool is_cxx) const;
  [[nodiscard]] bool is_allowed(const std::string& name, const std::string& file) const;

  AskRules rules_;
  CompilerAnswers* kept_;
  std::map<std::string, RealCompiler> known_;  ///< by what is asked
};

/// The arguments of a command that decide what its compiler takes for granted: `-m32`, `--sysroot=…`.
std::vector<std::string> default_deciding_flags(const std::vector<std::string>& arguments);

/// What `-E -dM -v` printed: the macros on standard output, the folders on standard error.
RealCompiler read_compiler_answer(const std::string& macros, const std::string& verbose, bool is_cxx);

/// `arm-linux-gnueabihf` of `/opt/bin/arm-linux-gnueabihf-gcc-12`; empty if the name has no such prefix.
std::string triple_in_name(const std::string& compiler);

/// A folder of headers that belong to one compiler: `/usr/lib/gcc/x86_64-linux-gnu/12/include`,
/// `/usr/lib/clang/19/include`.
bool is_compiler_folder(const std::string& folder);

}  // namespace heddle::build
