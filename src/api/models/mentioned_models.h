// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of a shipped model file that one program can ask for. Reading all models takes longer than verifying a small
// program, and a program mentions few of the functions. What is left out are whole [[function]] tables, found by their
// lines and without reading TOML; everything else stays as it is.
//
//   [[function]]                      stays if the program mentions f, or anything else that the table has in quotes
//   names = ["f", "g"]
//
// For the files in models/ only: there a line begins with `[` where a table begins, and nowhere else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "program/model/program.h"

namespace heddle::api {

/// The names of a program's functions, as models know them.
class MentionedNames {
 public:
  explicit MentionedNames(const Program& program);

  /// `pattern`: a name, or the beginning of some and `*`.
  [[nodiscard]] bool has(std::string_view pattern) const;

 private:
  std::vector<std::string_view> names_;  ///< sorted
};

[[nodiscard]] std::string mentioned_part(std::string_view text, const MentionedNames& names);

/// The variables of libraries that functions touch according to the whole text: `{ hidden_read = "stdout" }`.
[[nodiscard]] std::vector<std::string_view> hidden_variables(std::string_view text);

}  // namespace heddle::api
