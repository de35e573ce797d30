// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/scanf_directive.h"

#include <cctype>

namespace heddle::interpret {

std::uint32_t integer_bytes(const Core& core, const Directive& d) {
  if (d.conversion == 'p') return core.image.pointer_bytes;
  if (d.length == "hh") return 1;
  if (d.length == "h") return 2;
  if (d.length == "ll" || d.length == "q" || d.length == "j" || d.length == "L") return 8;
  return d.length == "l" || d.length == "z" || d.length == "t" ? core.image.pointer_bytes : 4;
}

namespace {

/// The characters of a %[ conversion; `at` stands behind the bracket, and ends behind the closing one.
std::string parse_set(const std::string& format, std::size_t& at) {
  const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  const bool is_negated = peek() == '^';
  if (is_negated) ++at;
  std::string set;
  for (bool is_first = true; peek() != '\0' && (peek() != ']' || is_first); is_first = false) {
    const char low = format[at++];
    if (peek() == '-' && at + 1 < format.size() && format[at + 1] != ']') {
      for (int ch = static_cast<unsigned char>(low); ch <= static_cast<unsigned char>(format[at + 1]); ++ch)
        set.push_back(static_cast<char>(ch));
      at += 2;
    } else {
      set.push_back(low);
    }
  }
  ++at;
  std::string out;
  for (int ch = 1; ch < 256; ++ch)
    if ((set.find(static_cast<char>(ch)) != std::string::npos) != is_negated) out.push_back(static_cast<char>(ch));
  return out;
}

}  // namespace

Directive parse_directive(Core& core, const std::string& format, std::size_t& at) {
  const auto peek = [&] { return at < format.size() ? format[at] : '\0'; };
  Directive d;
  if (peek() == '*') d.is_stored = false, ++at;
  if (std::isdigit(peek()) != 0) d.width = 0;
  while (std::isdigit(peek()) != 0) d.width = d.width * 10 + (format[at++] - '0');
  if (peek() == 'm') core.account.unsupported("scanf conversion with 'm'");
  while (peek() != '\0' && std::string_view("hlLqjzt").find(peek()) != std::string_view::npos)
    d.length.push_back(format[at++]);
  d.conversion = peek();
  ++at;
  if (d.conversion == '[') d.set = parse_set(format, at);
  return d;
}

}  // namespace heddle::interpret
