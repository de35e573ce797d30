// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/sites.h"

#include <array>
#include <charconv>

#include "base/read_file.h"

namespace heddle::explore {
namespace {

constexpr std::size_t field_count = 7;
using Fields = std::array<std::string_view, field_count>;

bool split(std::string_view line, Fields& fields) {
  for (std::size_t i = 0; i < field_count; ++i) {
    const std::size_t end = i + 1 == field_count ? line.size() : line.find('\t');
    if (end == std::string_view::npos) return false;
    fields[i] = line.substr(0, end);
    line.remove_prefix(std::min(line.size(), end + 1));
  }
  return true;
}

template <class Number>
bool read_number(std::string_view text, Number& number, int base) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

Result<Sites> Sites::read(const std::string& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return std::unexpected(text.error());
  return parse(*text, file);
}

Result<Sites> Sites::parse(const std::string& text, const std::string& name) {
  Sites sites;
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++number;
    if (line.empty()) continue;
    Fields fields;
    AccessKey key = 0;
    Site site;
    if (!split(line, fields) || !read_number(fields[0], key, 16) || !read_number(fields[3], site.line, 10) ||
        !read_number(fields[4], site.column, 10))
      return error(name + ":" + std::to_string(number) + ": no line of a table of sites");
    site.kind = fields[1];
    site.file = fields[2];
    site.function = fields[5];
    site.path = fields[6];
    sites.sites_.emplace(key, std::move(site));
  }
  return sites;
}

const Site* Sites::find(AccessKey key) const {
  const auto found = sites_.find(key);
  return found == sites_.end() ? nullptr : &found->second;
}

std::string Sites::where(AccessKey key) const {
  const Site* site = find(key);
  if (site == nullptr) return "?";
  return site->file + ":" + std::to_string(site->line) + ":" + std::to_string(site->column);
}

}  // namespace heddle::explore
