// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which further arguments a printf-like function reads through, by its format.
//
//   printf("%d: %-*s at %p", n, width, name, p)     only `name`, the third of them
#pragma once
#include <optional>
#include <vector>

#include "program/model/program.h"

namespace heddle::scan {

/// By place behind the format's own fixed arguments: whether the function reads what the argument points to. None if
/// the format is no constant text, or numbers its arguments (`%2$s`).
[[nodiscard]] std::optional<std::vector<bool>> arguments_read(const Program& program, Operand format);

}  // namespace heddle::scan
