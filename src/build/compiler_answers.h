// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compilers said of themselves, kept from one capture to the next in `.heddle/compilers.json`, so that a capture
// that finds nothing changed starts no process.
//
//   "cc" "-E" "-dM" "-v" …  /usr/bin/x86_64-linux-gnu-gcc-12, 946 KB, its time
//                           →  triple, header folders, macros, standard
//
// An answer holds as long as the name leads to the same file with the same size and time, the variables compilers read
// are as they were, the folders it named are there, and those it passed over for being absent are not. Scripts and
// launchers under a compiler's name, and compilers that are given specs, are asked each time: what they start may
// change behind them.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "build/real_compiler.h"

namespace heddle::build {

class CompilerAnswers {
 public:
  /// What `file` holds; nothing if it is missing or damaged. An empty name: nothing is kept.
  explicit CompilerAnswers(std::string file);

  /// `question` is the command that would be run in `directory`. Null: the compiler must be asked.
  [[nodiscard]] const RealCompiler* find(const std::vector<std::string>& question, const std::string& directory) const;
  /// Only answers; that a compiler is missing is not kept.
  void add(const std::vector<std::string>& question, const std::string& directory, const RealCompiler& answer);
  /// If there is anything new.
  [[nodiscard]] Result<void> write() const;

 private:
  struct Entry {
    std::string compiler;  ///< its file, size and time
    RealCompiler answer;
  };
  std::string file_;
  std::map<std::string, Entry> entries_;  ///< by question and environment
  bool is_changed_ = false;
};

}  // namespace heddle::build
