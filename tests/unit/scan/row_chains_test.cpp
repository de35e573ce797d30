// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/row_chains.h"

#include <gtest/gtest.h>

namespace heddle::scan {
namespace HEDDLE_TEST_FILE {

TEST(RowChains, EachHasItsRowsInOrder) {
  RowChains<int> rows;
  Chain odd, even, none;
  for (int i = 0; i < 10; ++i) rows.append(i % 2 == 0 ? even : odd, i);
  const auto listed = [&](const Chain& chain) {
    std::vector<int> out;
    rows.each(chain, [&](int row) { out.push_back(row); });
    return out;
  };
  EXPECT_EQ(listed(odd), (std::vector{1, 3, 5, 7, 9}));
  EXPECT_EQ(listed(even), (std::vector{0, 2, 4, 6, 8}));
  EXPECT_EQ(listed(none), std::vector<int>{});
  EXPECT_EQ(rows.size(), 10U);
  EXPECT_TRUE(rows.any_of(odd, [](int row) { return row == 9; }));
  EXPECT_FALSE(rows.any_of(odd, [](int row) { return row == 8; }));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::scan
