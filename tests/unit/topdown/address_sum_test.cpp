// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/domain/address_sum.h"

#include <gtest/gtest.h>

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class AddressSum : public ::testing::Test {
 protected:
  Program program;
  threads::ThreadTable table;
  Universe u{program, table};
  ObjectId a = u.object(ObjectKind::Heap, 1, {}, {}, true);
  ObjectId b = u.object(ObjectKind::Heap, 2, {}, {}, true);

  InfoId address(std::vector<ObjectId> objects, std::int64_t at = 0) {
    std::vector<Target> targets;
    for (const ObjectId o : objects) targets.push_back({o, at, at, 0});
    return u.addresses(std::move(targets));
  }
  InfoId sum(const std::vector<AddressTerm>& terms, const Distances& by = {.range = Interval::constant(0)}) {
    return sum_of_addresses(u, terms, by, Interval::empty(), 64);
  }
  std::vector<Target> targets(InfoId info) {
    EXPECT_FALSE(u.infos[info].any_address);
    EXPECT_TRUE(u.infos[info].addresses);
    return u.infos[info].addresses ? u.points_to[u.infos[info].addresses].targets : std::vector<Target>{};
  }
  bool is_unknown(InfoId info) { return u.infos[info].any_address; }
};

TEST_F(AddressSum, OneAddressMoves) {
  const Distances by{.range = {0, 64}, .first = 16, .step = 16};
  const std::vector<Target> found = targets(sum({{address({a}, 8), 1}}, by));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].low, 8);
  EXPECT_EQ(found[0].high, 72);
  EXPECT_EQ(found[0].stride, 16U);
}

TEST_F(AddressSum, AnywhereKeepsTheRestOfASumThatDidNotWrap) {
  // 8 + 24·i at any i.
  const numeric::Wide first = numeric::Wide{8} - (numeric::Wide{1} << 63) * 24;
  const std::vector<Target> found =
      targets(sum({{address({a}), 1}}, {.range = Interval::of_width(64), .first = first, .step = 24}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].stride, 24U);
  EXPECT_EQ(((found[0].low % 24) + 24) % 24, 8);
  EXPECT_EQ(found[0].high % 24, 8);
}

TEST_F(AddressSum, DistancesAreNumbers) {
  const InfoId distance = sum({{address({a}, 8), 1}, {address({a}), -1}});
  EXPECT_TRUE(u.infos[distance].is_number());
  EXPECT_TRUE(is_unknown(sum({{address({a}), 1}, {address({b}), -1}}))) << "of two objects there is none";
  EXPECT_TRUE(is_unknown(sum({{address({a, b}), 1}, {address({a}), -1}}))) << "perhaps of two objects";
}

TEST_F(AddressSum, ADistanceMovesAnAddress) {
  const std::vector<Target> found = targets(sum({{address({b}), 1}, {address({a}), 4}, {address({a}), -4}}));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].object, b);
  EXPECT_LT(found[0].low, 0);
  EXPECT_GT(found[0].high, 0);
}

TEST_F(AddressSum, WhichOfThreeIsTheAddressIsNotKnown) {
  const std::vector<Target> found = targets(sum({{address({a, b}), 1}, {address({a, b}), 1}, {address({b}), -1}}));
  ASSERT_EQ(found.size(), 2U);
  for (const Target& t : found) EXPECT_EQ(t.stride, 1U);
}

TEST_F(AddressSum, SumsAndMultiplesOfAddressesAreNotKnown) {
  EXPECT_TRUE(is_unknown(sum({{address({a}), 1}, {address({b}), 1}})));
  EXPECT_TRUE(is_unknown(sum({{address({a}), 2}})));
  EXPECT_TRUE(is_unknown(sum({{address({a}), -1}})));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
