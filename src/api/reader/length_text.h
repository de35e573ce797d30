// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lengths as models write them: "arg 2", "arg 1 * arg 2", "2 words", "string", "unknown". A plain number of bytes is a
// TOML integer and does not come by here.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "api/effect.h"

namespace heddle::api {

[[nodiscard]] std::optional<Length> parse_length(std::string_view text);
[[nodiscard]] std::string to_text(const Length& length);

inline constexpr std::string_view length_forms =
    "a number of bytes, \"arg N\", \"arg N * arg M\", \"N words\", \"string\" or \"unknown\"";
/// No function has more arguments; it also keeps numbers out of the range of overflow.
inline constexpr std::int64_t max_argument = 255;

}  // namespace heddle::api
