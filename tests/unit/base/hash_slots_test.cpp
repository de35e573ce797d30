// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/hash_slots.h"

#include <gtest/gtest.h>

#include <map>

namespace heddle {
namespace HEDDLE_TEST_FILE {

/// The place of each row that was put there once, as its owner does it.
class Rows {
 public:
  std::uint32_t place(std::uint64_t row) {
    slots_.make_room(rows_.size(), [&](std::uint32_t n) { return mixed(0, rows_[n - 1]); });
    std::uint32_t& slot = slots_.find(mixed(0, row), [&](std::uint32_t n) { return rows_[n - 1] == row; });
    if (slot == 0) {
      rows_.push_back(row);
      slot = static_cast<std::uint32_t>(rows_.size());
    }
    return slot;
  }
  void clear() {
    rows_.clear();
    slots_.clear();
  }
  [[nodiscard]] std::size_t bytes() const { return slots_.bytes(); }

 private:
  std::vector<std::uint64_t> rows_;
  HashSlots slots_;
};

TEST(HashSlots, AgreeWithAMapOfTheLibrary) {
  Rows rows;
  std::map<std::uint64_t, std::uint32_t> expected;
  std::uint64_t number = 1;
  for (int i = 0; i < 20000; ++i) {
    number = number * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t row = number >> 40 & 4095;
    const auto at = expected.try_emplace(row, static_cast<std::uint32_t>(expected.size() + 1)).first;
    ASSERT_EQ(rows.place(row), at->second);
    if (i % 3777 != 0) continue;
    rows.clear();
    expected.clear();
  }
}

TEST(HashSlots, SmallAgainWhenEmptied) {
  Rows rows;
  EXPECT_EQ(rows.place(7), 1U);
  const std::size_t small = rows.bytes();
  for (std::uint64_t row = 0; row < 1000; ++row) static_cast<void>(rows.place(row));
  EXPECT_GT(rows.bytes(), small);
  rows.clear();
  EXPECT_EQ(rows.place(7), 1U);
  EXPECT_EQ(rows.bytes(), small);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
