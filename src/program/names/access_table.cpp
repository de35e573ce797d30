// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/content_hash.h"

namespace heddle {
namespace {

constexpr std::string_view table_header = "heddle accesses 1";

/// A field holds no tab and ends no line.
std::string field(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(out, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return out;
}

template <class Number>
bool parse(std::string_view text, Number& out, int base = 10) {
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), out, base);
  return failure == std::errc() && end == text.data() + text.size();
}

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view out = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return out;
}

std::optional<AccessRow> read_row(std::string_view line) {
  std::array<std::string_view, 7> fields;
  for (std::string_view& one : fields) one = take_until(line, '\t');
  AccessRow row{.kind = std::string(fields[1]),
                .file = std::string(fields[2]),
                .function = std::string(fields[5]),
                .path = std::string(fields[6])};
  if (!line.empty() || !parse(fields[0], row.number, 16) || !parse(fields[3], row.line) ||
      !parse(fields[4], row.column))
    return std::nullopt;
  return row;
}

}  // namespace

void AccessTable::finish() {
  std::ranges::sort(rows_);
  const auto twins = std::ranges::unique(rows_, {}, &AccessRow::number);
  rows_.erase(twins.begin(), twins.end());
}

const AccessRow* AccessTable::find(std::uint64_t number) const {
  const auto at = std::ranges::lower_bound(rows_, number, {}, &AccessRow::number);
  return at != rows_.end() && at->number == number ? &*at : nullptr;
}

std::string AccessTable::to_text() const {
  std::string out = std::string(table_header) + "\n";
  for (const AccessRow& row : rows_)
    out += ContentHash{0, row.number}.hex().substr(16) + "\t" + field(row.kind) + "\t" + field(row.file) + "\t" +
           std::to_string(row.line) + "\t" + std::to_string(row.column) + "\t" + field(row.function) + "\t" +
           field(row.path) + "\n";
  return out;
}

Result<AccessTable> AccessTable::from_text(std::string_view text, const std::string& name) {
  if (take_until(text, '\n') != table_header) return error(name + ": is no table of accesses of this heddle");
  AccessTable out;
  while (!text.empty()) {
    auto row = read_row(take_until(text, '\n'));
    if (!row) return error(name + ": is damaged");
    out.add(std::move(*row));
  }
  out.finish();
  return out;
}

}  // namespace heddle
