// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "base/table.h"

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(Table, IdsNameRows) {
  Table<std::string> table;
  const Id<std::string> a = table.add("a");
  const Id<std::string> b = table.add("b");
  EXPECT_LT(a, b);
  table[a] += "x";
  EXPECT_EQ(table[a], "ax");
  EXPECT_EQ(table[b], "b");
  EXPECT_EQ(table.size(), 2U);
  EXPECT_FALSE(Id<std::string>().valid());
}

TEST(Table, AStrangersIdIsCaught) {
  const Table<int> table;
  EXPECT_THROW((void)table[Id<int>(3)], InternalError);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
