// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HashIndex: finds a row of a Table by its content, so that equal rows get one id. The index holds ids only (open
// addressing, at most half full); rows are compared where they lie.
//
//   HashIndex<Form, FormHash> index;      index.intern(forms, f) == index.intern(forms, f)
//
// `Hash` may leave out what `Equal` does not look at. All rows of the table must have come through the index.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "base/table.h"

namespace heddle {

/// Mixes one more word into a hash.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 29);
}

template <class T, class Hash, class Equal = std::equal_to<T>>
class HashIndex {
 public:
  /// The row's id; `row` is added if there is none like it. `is_new` tells which.
  Id<T> intern(Table<T>& table, T row, bool* is_new = nullptr) {
    if (table.size() * 2 >= slots_.size()) grow(table);
    std::uint32_t& slot = slots_[slot_of(table, row)];
    if (is_new != nullptr) *is_new = slot == 0;
    if (slot == 0) slot = table.add(std::move(row)).index() + 1;
    return Id<T>(slot - 1);
  }
  [[nodiscard]] std::size_t bytes() const { return slots_.size() * sizeof(std::uint32_t); }

 private:
  [[nodiscard]] std::size_t slot_of(const Table<T>& table, const T& row) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(mixed(Hash{}(row), 0)) & mask;
    while (slots_[slot] != 0 && !Equal{}(table[Id<T>(slots_[slot] - 1)], row)) slot = (slot + 1) & mask;
    return slot;
  }
  void grow(const Table<T>& table) {
    constexpr std::size_t fewest = 64;
    slots_.assign(slots_.empty() ? fewest : slots_.size() * 2, 0);
    for (std::size_t i = 0; i < table.size(); ++i)
      slots_[slot_of(table, table[Id<T>(i)])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::uint32_t> slots_;  ///< id + 1; 0: free
};

}  // namespace heddle
