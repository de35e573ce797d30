// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/model/program.h"

#include <algorithm>

namespace heddle {
namespace {

template <class T>
std::vector<Id<T>> sorted_by_name(const Table<T>& table) {
  // Most names differ in their first letters: those are compared without a look at the text.
  struct Row {
    std::uint64_t letters;
    std::string_view name;
    std::uint32_t index;
    auto operator<=>(const Row&) const = default;
  };
  std::vector<Row> rows;
  rows.reserve(table.size());
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const std::string_view name = table[Id<T>(i)].name;
    std::uint64_t letters = 0;
    for (std::size_t k = 0; k < sizeof letters; ++k)
      letters = letters << 8 | (k < name.size() ? static_cast<unsigned char>(name[k]) : 0U);
    rows.push_back({letters, name, i});
  }
  std::ranges::sort(rows);
  std::vector<Id<T>> out;
  out.reserve(rows.size());
  for (const Row& row : rows) out.emplace_back(row.index);
  return out;
}

/// The first of that name.
template <class T>
Id<T> find(const Table<T>& table, const std::vector<Id<T>>& sorted, std::string_view name) {
  const auto it = std::ranges::lower_bound(sorted, name, {}, [&](Id<T> id) { return table[id].name; });
  return it == sorted.end() || table[*it].name != name ? Id<T>() : *it;
}

}  // namespace

std::vector<BlockId> Function::successors(BlockId b) const {
  std::vector<BlockId> out;
  const Block& block = blocks[b.index()];
  if (block.count == 0) return out;
  const Instruction& last = instructions[block.first + block.count - 1];
  if (!last.is_terminator()) return out;
  for (const Operand operand : operands_of(last))
    if (operand.is_block()) out.push_back(operand.as_block());
  return out;
}

void Program::index_names() {
  functions_by_name_ = sorted_by_name(functions);
  globals_by_name_ = sorted_by_name(globals);
}

FunctionId Program::find_function(std::string_view name) const { return find(functions, functions_by_name_, name); }

GlobalId Program::find_global(std::string_view name) const { return find(globals, globals_by_name_, name); }

std::string Program::where(LocationId id) const {
  if (!id.valid()) return "<unknown>";
  const Location& at = locations[id];
  const std::string path(at.file.valid() ? files[at.file].path : "<unknown>");
  return path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

}  // namespace heddle
