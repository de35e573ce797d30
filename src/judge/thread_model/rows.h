// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows: arrays whose elements the program tells apart by numbers that nobody knows beforehand.
//
//   struct page pages[64];  …  p = find_free(); p->state = MINE; …  p->data = 1;
//
// A race is at one element, whichever. So a model follows one of each row, the same number in all of them, and knows
// nothing of that number: the fields of that element are shared variables, and every index and every pointer into a row
// carries with it whether it is the one. What holds for the one holds for all.
//
// A pointer leads to a field of an element if all places in the row that it can lead to are that far behind the
// beginning of an element; what writes elsewhere in a row may have written any of its fields.
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "judge/thread_model/pointed_memory.h"

namespace heddle::judge::transaction {

using RowIndex = std::uint32_t;

class Rows {
 public:
  struct Row {
    ObjectIndex object = 0;
    std::int64_t offset = 0;  ///< of the element with the number 0
    std::int64_t stride = 0;
    std::int64_t begin = 0, end = 0;  ///< no element lies elsewhere
    friend bool operator==(const Row&, const Row&) = default;
  };
  struct Spot {
    RowIndex row = 0;
    std::int64_t field = 0;  ///< behind the beginning of an element
    friend auto operator<=>(const Spot&, const Spot&) = default;
  };
  /// Where a pointer leads, with so many bytes behind it.
  struct Lead {
    std::vector<RowIndex> rows;  ///< that it may lead into
    std::vector<Spot> spots;     ///< one for each, if that is known of all of them
    bool is_inside = false;      ///< and it leads nowhere else
    [[nodiscard]] bool is_known() const { return !rows.empty() && spots.size() == rows.size(); }
    [[nodiscard]] std::optional<Spot> only() const {
      return rows.size() == 1 && spots.size() == 1 ? std::optional(spots.front()) : std::nullopt;
    }
  };

  /// No row.
  Rows() = default;
  Rows(const Program& program, const PointedMemory& memory);  ///< `memory` outlives it

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] const Row& row(RowIndex index) const { return rows_[index]; }
  [[nodiscard]] Lead lead(const std::vector<Target>& targets, std::uint64_t bytes) const;
  /// The row whose element 0 has the place in it, with that stride.
  [[nodiscard]] std::optional<RowIndex> find(ObjectIndex object, std::int64_t offset, std::int64_t stride) const;
  /// The number of the element that has the place in it; none: no row has.
  [[nodiscard]] std::optional<std::int64_t> number_at(ObjectIndex object, std::int64_t offset) const;
  /// It is, or becomes, an index into a row, or a pointer into one.
  [[nodiscard]] bool is_followed(FunctionId function, ValueId value) const {
    return !followed_.empty() && followed_[function.index()][value.index()];
  }

 private:
  void find_rows(const Program& program);
  void find_followed(const Program& program);

  const PointedMemory* memory_ = nullptr;
  std::vector<Row> rows_;                    ///< none overlaps another
  std::vector<std::vector<bool>> followed_;  ///< by function, by value
};

}  // namespace heddle::judge::transaction
