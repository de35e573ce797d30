// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/length_text.h"

#include <charconv>
#include <cstdint>

#include "api/object_size.h"

namespace heddle::api {
namespace {

/// Takes words and numbers off the front of a text; blanks between them do not matter.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) { skip_blanks(); }

  bool word(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    skip_blanks();
    return true;
  }
  std::optional<std::int64_t> number() {
    std::uint16_t n = 0;
    const auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (failed != std::errc{}) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    skip_blanks();
    return n;
  }
  std::optional<std::int64_t> argument() {
    if (!word("arg")) return std::nullopt;
    const auto n = number();
    return n && *n <= max_argument ? n : std::nullopt;
  }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  void skip_blanks() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

}  // namespace

std::optional<Length> parse_length(std::string_view text) {
  Scanner in(text);
  Length length;
  if (in.word("string")) {
    length.kind = Length::Kind::String;
    if (in.word("up to")) {
      const auto most = in.argument();
      if (!most) return std::nullopt;
      length.most = static_cast<int>(*most);
    }
  } else if (in.word("unknown")) {
    length.kind = Length::Kind::Unknown;
  } else if (const auto first = in.argument()) {
    length.kind = Length::Kind::Argument;
    length.value = *first;
    if (in.word("*")) {
      const auto second = in.argument();
      if (!second) return std::nullopt;
      length.kind = Length::Kind::Product;
      length.second = *second;
    }
  } else if (const auto words = in.number(); words && *words > 0 && in.word("word")) {
    in.word("s");
    length.kind = Length::Kind::Words;
    length.value = *words;
  } else {
    return std::nullopt;
  }
  if (!in.at_end()) return std::nullopt;
  return length;
}

std::string to_text(const Length& length) {
  const std::string value = std::to_string(length.value);
  switch (length.kind) {
    case Length::Kind::Unknown: return "unknown";
    case Length::Kind::Constant: return value + (length.value == 1 ? " byte" : " bytes");
    case Length::Kind::Argument: return "arg " + value;
    case Length::Kind::Product: return "arg " + value + " * arg " + std::to_string(length.second);
    case Length::Kind::String: return length.most < 0 ? "string" : "string up to arg " + std::to_string(length.most);
    case Length::Kind::Words: return value + (length.value == 1 ? " word" : " words");
    case Length::Kind::Type: return std::string(to_text(static_cast<LibraryType>(length.value)));
  }
  return "unknown";
}

}  // namespace heddle::api
