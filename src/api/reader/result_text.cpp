// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/result_text.h"

#include <charconv>
#include <limits>

#include "api/reader/length_text.h"

namespace heddle::api {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<CallResult::Numbers> numbers(std::string_view text) {
  CallResult::Numbers out;
  const std::size_t dots = text.find("..");
  if (dots != std::string_view::npos) {
    const auto length = parse_length(trimmed(text.substr(dots + 2)));
    if (length && length->kind == Length::Kind::Argument) {
      out.most = static_cast<int>(length->value);
      text = text.substr(0, dots + 2);
    }
  }
  const auto range = parse_range(text);
  if (!range) return std::nullopt;
  out.range = *range;
  return out;
}

bool add_alternative(CallResult& result, std::string_view text) {
  if (text == "any") return result.is_any = true;
  if (text == "number") return result.is_number = true;
  if (text == "null") return result.may_be_null = true;
  if (text == "outside") return result.may_be_outside = true;
  const auto found = numbers(text);
  if (found) result.numbers.push_back(*found);
  return found.has_value();
}

}  // namespace

std::optional<Range> parse_range(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const auto only = number(trimmed(text));
    return only ? std::optional(Range{*only, *only}) : std::nullopt;
  }
  const std::string_view low = trimmed(text.substr(0, dots));
  const std::string_view high = trimmed(text.substr(dots + 2));
  const auto from = low.empty() ? least : number(low);
  const auto to = high.empty() ? most : number(high);
  if (!from || !to || *from > *to) return std::nullopt;
  return Range{*from, *to};
}

std::string to_text(const Range& range) {
  if (range.low == range.high) return std::to_string(range.low);
  return (range.low == least ? "" : std::to_string(range.low)) + ".." +
         (range.high == most ? "" : std::to_string(range.high));
}

std::optional<CallResult> parse_result(std::string_view text) {
  constexpr std::string_view separator = " or ";
  CallResult result;
  result.is_said = true;
  for (;;) {
    const std::size_t end = text.find(separator);
    if (!add_alternative(result, trimmed(text.substr(0, end)))) return std::nullopt;
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + separator.size());
  }
}

std::string to_text(const CallResult& result) {
  std::string text;
  const auto add = [&](const std::string& alternative) { text += (text.empty() ? "" : " or ") + alternative; };
  if (result.is_any) add("any");
  if (result.is_number) add("number");
  if (result.may_be_null) add("null");
  if (result.may_be_outside) add("outside");
  for (const CallResult::Numbers& numbers : result.numbers) {
    if (numbers.most == Effect::none)
      add(to_text(numbers.range));
    else
      add((numbers.range.low == least ? "" : std::to_string(numbers.range.low)) + "..arg " +
          std::to_string(numbers.most));
  }
  return text;
}

}  // namespace heddle::api
