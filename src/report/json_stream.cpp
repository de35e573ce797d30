// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/json_stream.h"

#include <nlohmann/json.hpp>

namespace heddle::report {
namespace {

/// Looks at every character: without a way out early, many are looked at at once.
bool needs_no_escape(std::string_view text) {
  bool is_so = true;
  for (const char c : text) is_so &= (c >= ' ') & (c <= '~') & (c != '"') & (c != '\\');
  return is_so;
}

}  // namespace

void JsonStream::separate() {
  if (is_behind_key_) {
    is_behind_key_ = false;
    return;
  }
  if (depth_ == 0) return;
  text_ += is_first_ ? "\n" : ",\n";
  text_.append(2 * depth_, ' ');
  is_first_ = false;
}

void JsonStream::open(char bracket) {
  separate();
  text_ += bracket;
  ++depth_;
  is_first_ = true;
}

void JsonStream::close(char bracket) {
  --depth_;
  if (!is_first_) {
    text_ += '\n';
    text_.append(2 * depth_, ' ');
  }
  text_ += bracket;
  is_first_ = false;
}

void JsonStream::key(std::string_view name) {
  separate();
  add_quoted(name);
  text_ += ": ";
  is_behind_key_ = true;
}

void JsonStream::add(std::string_view raw) {
  separate();
  text_ += raw;
}

void JsonStream::add_quoted(std::string_view plain) {
  text_ += '"';
  text_ += plain;
  text_ += '"';
}

void JsonStream::value(std::string_view text) {
  separate();
  if (needs_no_escape(text)) return add_quoted(text);
  // File names are bytes, JSON is UTF-8: what is not becomes U+FFFD instead of an exception.
  using nlohmann::json;
  text_ += json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace heddle::report
