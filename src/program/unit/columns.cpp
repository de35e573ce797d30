// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/columns.h"

namespace heddle {

// 0 is the empty text, 1 one that was not mentioned before, the rest those that were.
void ColumnWriter::text(Column column, std::string_view text) {
  if (text.empty()) return put(column, 0);
  const auto [it, is_new] = texts_.try_emplace(text, static_cast<std::uint32_t>(texts_.size()));
  if (!is_new) return put(column, std::uint64_t{it->second} + 2);
  put(column, 1);
  put(Column::TextSizes, text.size());
  columns_[index(Column::TextBytes)] += text;
}

Columns ColumnWriter::take() { return std::move(columns_); }

ColumnReader::ColumnReader(const ColumnViews& columns, Arena& arena) : arena_(arena) {
  for (std::size_t i = 0; i < column_count; ++i) at_[i] = {columns[i].data(), columns[i].data() + columns[i].size()};
  const std::string_view kept = arena_.text(columns[index(Column::TextBytes)]);
  std::size_t used = 0;
  while (left(Column::TextSizes) != 0 && !failed_) {
    const std::uint64_t size = get(Column::TextSizes);
    if (size > kept.size() - used) fail();
    if (failed_) return;
    table_.push_back(kept.substr(used, size));
    used += size;
  }
  if (used != kept.size()) fail();
  at_[index(Column::TextBytes)].next = at_[index(Column::TextBytes)].end;
}

bool ColumnReader::is_used_up() const {
  for (const Cursor& at : at_)
    if (at.next != at.end) return false;
  return known_texts_ == table_.size();
}

std::uint64_t ColumnReader::get_long(Cursor& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; at.next != at.end && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at.next++);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  fail();
  return 0;
}

void ColumnReader::word(Column column, std::uint64_t& value) {
  Cursor& at = at_[index(column)];
  value = 0;
  if (left(column) < sizeof value) return fail();
  for (int shift = 0; shift < 64; shift += 8) value |= std::uint64_t{static_cast<unsigned char>(*at.next++)} << shift;
}

void ColumnReader::text(Column column, std::string_view& text) {
  const std::uint64_t code = get(column);
  text = {};
  if (code == 0) return;
  const std::uint64_t which = code == 1 ? known_texts_++ : code - 2;
  if (which >= known_texts_ || which >= table_.size()) return fail();
  text = table_[which];
}

void ColumnReader::bytes(Column column, std::span<const std::uint8_t>& bytes) {
  const std::size_t size = count(column);
  Cursor& at = at_[index(column)];
  bytes = arena_.copy(std::span(reinterpret_cast<const std::uint8_t*>(at.next), size));
  at.next += size;
}

}  // namespace heddle
