// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/number_set.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle {
namespace HEDDLE_TEST_FILE {

TEST(NumberSet, AgreesWithASetOfTheLibrary) {
  NumberSet set;
  std::set<std::uint64_t> expected;
  std::uint64_t number = 1;
  for (int i = 0; i < 20000; ++i) {
    number = number * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t one = number % 5000 << (number >> 60);
    EXPECT_EQ(set.insert(one), expected.insert(one).second) << one;
    if (i % 3777 == 0) {
      set.clear();
      expected.clear();
    }
    EXPECT_EQ(set.size(), expected.size());
  }
}

TEST(NumberSet, HoldsZeroOnce) {
  NumberSet set;
  EXPECT_TRUE(set.insert(0));
  EXPECT_FALSE(set.insert(0));
  set.clear();
  EXPECT_TRUE(set.insert(0));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle
