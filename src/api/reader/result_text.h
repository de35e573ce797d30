// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call returns, as models write it: alternatives with "or" between them.
//
//   "0"                only zero, besides what the effects say
//   "-1 or 0"          zero, or -1
//   "-1..arg 2"        from -1 up to what argument 2 is
//   "0.."              zero or more
//   "number"           any number, where the effects say nothing; nothing is said for functions that return a pointer
//   "any"              the same; a pointer: null or memory that the program does not know otherwise
//   "null"             besides what the effects say: null
//   "outside"          besides what the effects say: memory that the program does not know otherwise
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "api/effect.h"

namespace heddle::api {

[[nodiscard]] std::optional<CallResult> parse_result(std::string_view text);
[[nodiscard]] std::string to_text(const CallResult& result);
/// "0..3"; both ends are numbers or left out.
[[nodiscard]] std::optional<Range> parse_range(std::string_view text);
[[nodiscard]] std::string to_text(const Range& range);

inline constexpr std::string_view result_forms =
    "\"any\", \"number\", \"null\", \"outside\", a number or a range such as \"-1..arg 2\", several of them with "
    "\"or\" between";

}  // namespace heddle::api
