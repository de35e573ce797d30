// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/json_reader.h"

#include <array>
#include <cerrno>
#include <cstdio>

#include "base/machine/failure_words.h"

namespace heddle::host {
namespace {

constexpr std::size_t deepest = 10'000;

std::string shown(int c) {
  if (c < 0) return "the end of the file";
  if (c >= ' ' && c <= '~') return std::string("'") + static_cast<char>(c) + "'";
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "byte 0x%02x", static_cast<unsigned>(c));
  return text.data();
}

void append_utf8(std::string& out, unsigned code) {
  const auto add = [&](unsigned byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) return add(0xc0 | code >> 6), add(0x80 | (code & 0x3f));
  if (code < 0x10000) return add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f)), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
}

/// Bytes of the UTF-8 character that begins here, 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool outside = (first == 0xed && second >= 0xa0) || (first == 0xf4 && second >= 0x90);
  return overlong || outside ? 0 : length;
}

}  // namespace

bool JsonReader::refill() {
  if (!input_) return false;
  input_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  at_ = 0;
  size_ = static_cast<std::size_t>(input_.gcount());
  return size_ != 0;
}

void JsonReader::take() {
  if (buffer_[at_++] == '\n') {
    ++line_;
    column_ = 1;
  } else {
    ++column_;
  }
}

int JsonReader::look_behind_blanks() {
  int c = look();
  while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
    take();
    c = look();
  }
  return c;
}

bool JsonReader::fail(const std::string& expected) {
  if (message_.empty() && input_.bad())  // the stream says no more of it
    message_ =
        std::to_string(line_) + ":" + std::to_string(column_) + ": the rest cannot be read: " + failure_words(EIO);
  if (message_.empty())
    message_ =
        std::to_string(line_) + ":" + std::to_string(column_) + ": expected " + expected + ", found " + shown(look());
  return false;
}

JsonReader::Kind JsonReader::peek() {
  switch (look_behind_blanks()) {
    case '[': return Kind::Array;
    case '{': return Kind::Object;
    case '"': return Kind::String;
    case end: return Kind::End;
    default: return Kind::Other;
  }
}

bool JsonReader::read_hex(unsigned& value) {
  value = 0;
  for (int i = 0; i < 4; ++i) {
    const int c = look();
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return fail("four hexadecimal digits behind \\u");
    value = value * 16 + static_cast<unsigned>(digit);
    take();
  }
  return true;
}

bool JsonReader::read_escape(std::string& into) {
  constexpr std::string_view names = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const int c = look();
  const std::size_t known = c == end ? std::string_view::npos : names.find(static_cast<char>(c));
  if (known == std::string_view::npos && c != 'u') return fail("one of \" \\ / b f n r t u behind a backslash");
  take();
  if (known != std::string_view::npos) return into += meanings[known], true;
  unsigned code = 0;
  if (!read_hex(code)) return false;
  while (code >= 0xd800 && code < 0xdc00) {  // the first half of a pair
    if (look() != '\\') return append_utf8(into, 0xfffd), true;
    take();
    if (look() != 'u') return append_utf8(into, 0xfffd), read_escape(into);
    take();
    unsigned low = 0;
    if (!read_hex(low)) return false;
    if (low >= 0xdc00 && low < 0xe000)
      return append_utf8(into, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)), true;
    append_utf8(into, 0xfffd);
    code = low;
  }
  if (code >= 0xdc80 && code < 0xdd00)
    into += static_cast<char>(code - 0xdc00);
  else
    append_utf8(into, code >= 0xd800 && code < 0xe000 ? 0xfffd : code);
  return true;
}

bool JsonReader::read_string(std::string& into) {
  into.clear();
  if (look_behind_blanks() != '"') return fail("a string");
  take();
  while (true) {
    int c = look();
    // Whole runs of plain characters at once: this loop is where the time goes.
    const std::size_t from = at_;
    while (at_ < size_ && c != '"' && c != '\\' && c >= ' ') {
      ++at_;
      c = at_ < size_ ? static_cast<unsigned char>(buffer_[at_]) : end;
    }
    into.append(buffer_.data() + from, at_ - from);
    column_ += at_ - from;
    if (at_ == size_ && look() != end) continue;
    c = look();
    if (c == '"') return take(), true;
    if (c != '\\') return fail("the closing quote of a string");
    take();
    if (!read_escape(into)) return false;
  }
}

/// A number, true, false or null; numbers are not looked at closely.
bool JsonReader::read_plain() {
  std::string word;
  const auto belongs = [](int c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '+' || c == '-' || c == '.' || c == 'E';
  };
  const int first = look();
  if (!belongs(first)) return fail("a value");
  for (; belongs(look()) && word.size() < 64; take()) word += static_cast<char>(look());
  if (word == "true" || word == "false" || word == "null") return true;
  if ((first >= '0' && first <= '9') || first == '-') return true;
  return fail("a value");
}

bool JsonReader::skip_value() {
  std::string open;  // the brackets around where we are
  std::string ignored;
  while (true) {
    const int c = look_behind_blanks();
    if (c == '[' || c == '{') {
      if (open.size() == deepest) return fail("less than 10000 nested values");
      take();
      const int closing = c == '[' ? ']' : '}';
      if (look_behind_blanks() == closing) {
        take();
      } else {
        open += static_cast<char>(closing);
        if (closing == '}' && !read_key(ignored)) return false;
        continue;
      }
    } else if (c == '"' ? !read_string(ignored) : !read_plain()) {
      return false;
    }
    while (!open.empty() && look_behind_blanks() == open.back()) take(), open.pop_back();
    if (open.empty()) return true;
    if (look() != ',') return fail(std::string("',' or '") + open.back() + "'");
    take();
    if (open.back() == '}' && !read_key(ignored)) return false;
  }
}

bool JsonReader::read_key(std::string& key) {
  if (!read_string(key)) return false;
  if (look_behind_blanks() != ':') return fail("':'");
  take();
  return true;
}

bool JsonReader::read_array(const std::function<bool()>& element) {
  if (look_behind_blanks() != '[') return fail("'['");
  take();
  if (look_behind_blanks() == ']') return take(), true;
  while (element()) {
    const int c = look_behind_blanks();
    if (c == ']') return take(), true;
    if (c != ',') return fail("',' or ']'");
    take();
  }
  return false;
}

bool JsonReader::read_object(const std::function<bool(const std::string& key)>& member) {
  if (look_behind_blanks() != '{') return fail("'{'");
  take();
  if (look_behind_blanks() == '}') return take(), true;
  std::string key;
  while (read_key(key)) {
    if (!member(key)) return false;
    const int c = look_behind_blanks();
    if (c == '}') return take(), true;
    if (c != ',') return fail("',' or '}'");
    take();
  }
  return false;
}

bool JsonReader::read_end() { return look_behind_blanks() == end || fail("the end of the file"); }

std::string json_string(std::string_view text) {
  std::string out = "\"";
  std::array<char, 8> code{};
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const unsigned first = static_cast<unsigned char>(text.front());
    if (first == '"' || first == '\\') {
      out += {'\\', text.front()};
    } else if (length == 0 || first < ' ' || first == 0x7f) {
      std::snprintf(code.data(), code.size(), "\\u%04x", length == 0 ? 0xdc00 + first : first);
      out += code.data();
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + "\"";
}

}  // namespace heddle::host
