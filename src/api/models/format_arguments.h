// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a printf-like function does with its further arguments, by its format.
//
//   printf("%d: %-*s at %p%n", n, width, name, p, &length)     reads `name`, writes `length`
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "program/model/program.h"

namespace heddle::api {

enum class FormatUse : std::uint8_t {
  Value,    ///< the argument itself is printed
  Read,     ///< the text it points to
  Written,  ///< a count is stored there (%n)
};

/// By place behind the fixed arguments. None if the format is no constant text, or numbers its arguments (`%2$s`).
[[nodiscard]] std::optional<std::vector<FormatUse>> uses_by_format(const Program& program, Operand format);

}  // namespace heddle::api
