// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/screen/shown.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "report/report_form.h"

namespace heddle::report {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  ///< 0: it is no UTF-8
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (bytes == 0 || lead >= 0xf5 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool is_short = (bytes == 3 && code < 0x800) || (bytes == 4 && (code < 0x10000 || code > 0x10ffff));
  const bool is_half = code >= 0xd800 && code < 0xe000;
  return is_short || is_half ? Character{} : Character{code, bytes};
}

bool is_between(std::uint32_t code, std::uint32_t first, std::uint32_t last) { return code >= first && code <= last; }

/// Controls, marks of direction, ends of lines and of paragraphs, marks of byte order, tags.
bool is_command(std::uint32_t code) {
  return code < 0x20 || is_between(code, 0x7f, 0x9f) || code == 0x61c || is_between(code, 0x200b, 0x200f) ||
         is_between(code, 0x2028, 0x202e) || is_between(code, 0x2060, 0x2069) || code == 0xfeff ||
         is_between(code, 0xfff9, 0xfffb) || is_between(code, 0xe0000, 0xe007f);
}

/// Nearly all texts are.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; });
}

std::string made_visible(std::string_view text, bool keeps_lines) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  char visible[16];
  while (!text.empty()) {
    const Character next = first_of(text);
    if (next.bytes == 0) {
      std::snprintf(visible, sizeof visible, "<%02X>", static_cast<unsigned char>(text.front()));
      out += visible;
      text.remove_prefix(1);
      continue;
    }
    const bool stays = next.code == '\t' || (next.code == '\n' && keeps_lines) || !is_command(next.code);
    if (stays) {
      out += text.substr(0, next.bytes);
    } else {
      std::snprintf(visible, sizeof visible, "<U+%04X>", static_cast<unsigned>(next.code));
      out += visible;
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace

std::string shown(std::string_view text) { return made_visible(text, false); }

std::string shown_lines(std::string_view text) { return made_visible(text, true); }

RaceReport shown(RaceReport report) {
  for_each_text(report, [](std::string& text) {
    // Messages of compilers have several lines, of which reports show the first.
    if (!is_plain(text)) text = shown_lines(text);
  });
  return report;
}

bool is_shown_as_it_is(const RaceReport& report) {
  bool out = true;
  for_each_text(report, [&](const std::string& text) { out = out && (is_plain(text) || shown_lines(text) == text); });
  return out;
}

}  // namespace heddle::report
