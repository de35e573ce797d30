// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <vector>

#include "locks/excludes.h"
#include "locks/relative_lockset.h"

namespace heddle::locks {
namespace HEDDLE_TEST_FILE {

using Locks = std::vector<HeldLock<int>>;
constexpr auto x = Mode::Exclusive;
constexpr auto s = Mode::Shared;

constexpr auto same = [](const HeldLock<int>& a, const HeldLock<int>& b) { return a.lock == b.lock; };
bool by_pairs(const Locks& a, const Locks& b) { return find_exclusion(a, b, same).first != nullptr; }
bool by_name(const Locks& a, const Locks& b) { return excludes_by_name(a, b, &HeldLock<int>::lock); }

TEST(Excludes, ModesOfOneLock) {
  EXPECT_TRUE(excludes(x, x));
  EXPECT_TRUE(excludes(x, s));
  EXPECT_TRUE(excludes(s, x));
  EXPECT_FALSE(excludes(s, s));
}

TEST(Excludes, OnlyOneAndTheSameLock) {
  EXPECT_TRUE(excludes(HeldLock<int>{1, x}, HeldLock<int>{1, x}, same));
  EXPECT_FALSE(excludes(HeldLock<int>{1, x}, HeldLock<int>{2, x}, same));
  EXPECT_FALSE(excludes(HeldLock<int>{1, s}, HeldLock<int>{1, s}, same));
}

TEST(Excludes, TheTwoThatDo) {
  const Locks a{{1, s}, {2, s}, {3, x}};
  const Locks b{{1, s}, {2, x}, {4, x}};
  const auto [first, second] = find_exclusion(a, b, same);
  EXPECT_EQ(first, &a[1]);
  EXPECT_EQ(second, &b[1]);
}

TEST(Excludes, BothWaysOfAskingAgree) {
  std::vector<Locks> all{{}};
  for (int lock = 0; lock < 3; ++lock)
    for (std::size_t i = all.size(); i-- > 0;)
      for (const Locks& rows : {Locks{{lock, x}}, Locks{{lock, s}}, Locks{{lock, x}, {lock, s}}}) {
        all.push_back(all[i]);
        all.back().insert(all.back().end(), rows.begin(), rows.end());
      }
  int excluded = 0;
  for (const Locks& a : all)
    for (const Locks& b : all) {
      EXPECT_EQ(by_pairs(a, b), by_name(a, b));
      excluded += by_name(a, b) ? 1 : 0;
    }
  EXPECT_EQ(all.size(), 64U);
  EXPECT_GT(excluded, 1000);
  EXPECT_LT(excluded, 64 * 64);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::locks
