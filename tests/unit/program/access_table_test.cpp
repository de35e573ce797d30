// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_table.h"

#include <gtest/gtest.h>

namespace heddle {
namespace HEDDLE_TEST_FILE {

AccessRow row(std::uint64_t number, const std::string& path) {
  return {
      .number = number, .kind = "write", .file = "src/a b.c", .line = 4, .column = 9, .function = "f", .path = path};
}

TEST(AccessTable, ComesBackAsItWasWritten) {
  AccessTable table;
  table.add(row(0xfedcba9876543210, "d->priv"));
  table.add(row(7, ""));
  table.finish();
  const auto again = AccessTable::from_text(table.to_text(), "table");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->rows(), table.rows());
  ASSERT_NE(again->find(7), nullptr);
  EXPECT_EQ(again->find(0xfedcba9876543210)->path, "d->priv");
  EXPECT_EQ(again->find(8), nullptr);
}

TEST(AccessTable, HasEachNumberOnce) {
  AccessTable table;
  for (const char* path : {"b", "a", "b"}) table.add(row(7, path));
  table.finish();
  ASSERT_EQ(table.rows().size(), 1U);
  EXPECT_EQ(table.find(7)->path, "a");
}

TEST(AccessTable, NamesCannotBreakTheForm) {
  AccessTable table;
  table.add(row(7, "a\tb\nc"));
  table.finish();
  const auto again = AccessTable::from_text(table.to_text(), "table");
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->find(7)->path, "a b c");
}

TEST(AccessTable, DamageIsAnError) {
  AccessTable table;
  table.add(row(7, "x"));
  table.finish();
  const std::string text = table.to_text();
  EXPECT_FALSE(AccessTable::from_text("heddle accesses 2" + text.substr(17), "table").has_value());
  EXPECT_FALSE(AccessTable::from_text(text + "no row\n", "table").has_value());
  EXPECT_FALSE(AccessTable::from_text(text + "\t\n", "table").has_value());
  EXPECT_FALSE(AccessTable::from_text("", "table").has_value());
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
