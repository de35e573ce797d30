// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/id.h"

namespace heddle {

/// The owner of all `T`s of one kind, in creation order; handed out as `Id<Tag>` (by default `Id<T>`).
template <class T, class Tag = T>
class Table {
 public:
  using id_type = Id<Tag>;

  id_type add(T value) {
    rows_.push_back(std::move(value));
    return id_type(rows_.size() - 1);
  }
  T& operator[](id_type id) {
    HEDDLE_CHECK(id.index() < rows_.size(), "id out of its table");
    return rows_[id.index()];
  }
  const T& operator[](id_type id) const {
    HEDDLE_CHECK(id.index() < rows_.size(), "id out of its table");
    return rows_[id.index()];
  }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  void reserve(std::size_t n) { rows_.reserve(n); }
  void shrink_to_fit() { rows_.shrink_to_fit(); }
  [[nodiscard]] std::size_t capacity_bytes() const { return rows_.capacity() * sizeof(T); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

 private:
  std::vector<T> rows_;
};

}  // namespace heddle
