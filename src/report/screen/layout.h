// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text in columns: how wide it is on a terminal, cut and padded to a width, wrapped, coloured.
#pragma once
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// Characters of UTF-8.
std::size_t width_of(std::string_view text);

/// `update_all_…`: no wider than that.
std::string cut(std::string_view text, std::size_t width);
/// `…/net/conn.c:14`: the end is what matters.
std::string cut_front(std::string_view text, std::size_t width);
/// `OutputBu…].size`: both ends matter.
std::string cut_middle(std::string_view text, std::size_t width);
std::string padded(std::string text, std::size_t width);

/// Lines of words; those after the first begin with the indent. A word that is too long for a line is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::string_view indent = "  ");

enum class Style : std::uint8_t { Plain, Bold, Alarm, Warn, Dim };

/// The text in a style, or as it is where there are no colours.
std::string painted(std::string_view text, Style style, bool has_color);

}  // namespace heddle::report
