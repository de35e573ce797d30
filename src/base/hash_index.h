// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HashIndex: finds a row of a Table by its content, so that equal rows get one id.
//
//   HashIndex<Form, FormHash> index;      index.intern(forms, f) == index.intern(forms, f)
//
// `Hash` may leave out what `Equal` does not look at. All rows of the table must have come through the index.
#pragma once
#include <functional>
#include <utility>

#include "base/hash_slots.h"
#include "base/table.h"

namespace heddle {

template <class T, class Hash, class Equal = std::equal_to<T>>
class HashIndex {
 public:
  /// The row's id; `row` is added if there is none like it. `is_new` tells which.
  Id<T> intern(Table<T>& table, T row, bool* is_new = nullptr) {
    const auto row_of = [&](std::uint32_t number) -> const T& { return table[Id<T>(number - 1)]; };
    slots_.make_room(table.size(), [&](std::uint32_t number) { return Hash{}(row_of(number)); });
    std::uint32_t& slot = slots_.find(Hash{}(row), [&](std::uint32_t number) { return Equal{}(row_of(number), row); });
    if (is_new != nullptr) *is_new = slot == 0;
    if (slot == 0) slot = table.add(std::move(row)).index() + 1;
    return Id<T>(slot - 1);
  }

 private:
  HashSlots slots_;
};

}  // namespace heddle
