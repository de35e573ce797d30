// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/screen/layout.h"

#include <algorithm>

namespace heddle::report {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string cut(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end)
    if (begins_character(text[end]) && seen++ == width - 1) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string cut_front(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t begin = text.size();
  for (std::size_t seen = 0; begin > 0 && seen < width - 1;)
    if (begins_character(text[--begin])) ++seen;
  return "…" + std::string(text.substr(begin));
}

std::string cut_middle(std::string_view text, std::size_t width) {
  if (width_of(text) <= width) return std::string(text);
  const std::size_t front = width / 3;
  const std::string end = cut_front(text, width - front + (front == 0 ? 0 : 1));
  return front == 0 ? end : cut(text, front) + end.substr(std::string_view("…").size());
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t now = width_of(text);
  if (now < width) text.append(width - now, ' ');
  return text;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::vector<std::string> lines{""};
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const bool is_empty = lines.back().empty() || (lines.size() > 1 && lines.back() == indent);
    if (!is_empty && width_of(lines.back()) + 1 + width_of(word) > width) {
      lines.emplace_back(indent);
      lines.back() += word;
    } else {
      lines.back() += (is_empty ? "" : " ") + std::string(word);
    }
    if (width_of(lines.back()) > width) lines.back() = cut(lines.back(), width);
  }
  return lines;
}

std::string painted(std::string_view text, Style style, bool has_color) {
  if (!has_color || style == Style::Plain || text.empty()) return std::string(text);
  std::string_view code;
  switch (style) {
    case Style::Plain: break;
    case Style::Bold: code = "1"; break;
    case Style::Alarm: code = "1;31"; break;
    case Style::Warn: code = "33"; break;
    case Style::Dim: code = "2"; break;
  }
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}

}  // namespace heddle::report
