// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts that hold command lines, cut into arguments.
//
//   gcc -DNAME='"a b"' -I"my dir" a\ b.c     →   gcc  -DNAME="a b"  -Imy dir  a b.c
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace heddle::host {

/// The quoting rules of a POSIX shell; no expansion of variables or patterns. An open quote is an error.
Result<std::vector<std::string>> split_shell_words(std::string_view text);

/// The word as one has to type it.
std::string quote_shell_word(std::string_view word);

/// The rules of gcc and clang for the text of a response file: blanks separate, both quotes group, and a backslash
/// makes the next character plain, inside quotes too. An open quote ends with the text.
std::vector<std::string> split_response_text(std::string_view text);

/// The text of a response file by its name in the command; nothing if there is no such file.
using ResponseReader = std::function<std::optional<std::string>(const std::string& name)>;

/// Reads files of the disk, relative to `directory`. At most 64 MB each.
ResponseReader response_files_of(std::string directory);

/// Puts the arguments of response files (`@file`, also nested) in their place. As the compilers do, `@name` without
/// such a file stays as it is. Files that contain each other are an error.
Result<std::vector<std::string>> expand_response_files(std::vector<std::string> arguments, const ResponseReader& read);

}  // namespace heddle::host
