// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/memory_classes.h"

#include <gtest/gtest.h>

namespace heddle::alias {
namespace HEDDLE_TEST_FILE {

TEST(MemoryClasses, OffsetsAreCellsOfTheirOwn) {
  MemoryClasses classes;
  const Place s{classes.fresh(), 0};
  EXPECT_FALSE(classes.content(s) == classes.content(classes.at(s, 8)));
  EXPECT_EQ(classes.content(s), classes.content(s));
}

TEST(MemoryClasses, UnifyingShiftsOneClassIntoTheOther) {
  MemoryClasses classes;
  const Place outer{classes.fresh(), 0};
  const Place inner{classes.fresh(), 0};
  const Place third = classes.content(classes.at(inner, 4));
  classes.unify(classes.at(outer, 16), inner);
  EXPECT_EQ(classes.find(third), classes.content(classes.at(outer, 20)));
  EXPECT_EQ(classes.find(inner), classes.at(outer, 16));
}

TEST(MemoryClasses, OneClassAtTwoDistancesRepeats) {
  MemoryClasses classes;
  const Place s{classes.fresh(), 0};
  const Place zero = classes.content(s);
  const Place eight = classes.content(classes.at(s, 8));
  const Place twelve = classes.content(classes.at(s, 12));
  classes.unify(s, classes.at(s, 8));
  EXPECT_EQ(classes.period(s.cls), 8U);
  EXPECT_EQ(classes.find(zero), classes.find(eight));
  EXPECT_FALSE(classes.find(zero) == classes.find(twelve));
  classes.repeat(s, 4);
  EXPECT_EQ(classes.find(zero), classes.find(twelve));
}

TEST(MemoryClasses, ACopyUnifiesWhatLiesInTwoObjects) {
  MemoryClasses classes;
  const Place a{classes.fresh(), 0}, b{classes.fresh(), 0};
  const Place in_a = classes.content(classes.at(a, 8)), in_b = classes.content(b);
  classes.copy(classes.at(a, 8), b);
  EXPECT_EQ(classes.find(in_a), classes.find(in_b));
  EXPECT_FALSE(classes.find(a).object == classes.find(b).object);
  EXPECT_EQ(classes.find(a).cls, classes.find(b).cls);
  classes.unify(a, b);
  EXPECT_EQ(classes.find(a).object, classes.find(b).object) << "also if they have one class already";
}

TEST(MemoryClasses, ContentsFollowWhenObjectsMerge) {
  MemoryClasses classes;
  const Place a{classes.fresh(), 0};
  const Place b{classes.fresh(), 0};
  const Place behind_a = classes.content(classes.content(a));
  const Place behind_b = classes.content(classes.content(b));
  classes.unify(a, b);
  EXPECT_EQ(classes.find(behind_a), classes.find(behind_b));
  EXPECT_EQ(classes.take_merges().size(), 3U);
}

TEST(MemoryClasses, AClassThatHoldsItselfEnds) {
  MemoryClasses classes;
  const Place list{classes.fresh(), 0};
  const Place second = classes.content(list);
  const Place third = classes.content(second);
  classes.unify(list, second);
  EXPECT_EQ(classes.find(third), classes.find(list));
  EXPECT_EQ(classes.content(list), classes.find(list));
}

TEST(MemoryClasses, FarOffsetsStayInRange) {
  MemoryClasses classes;
  const Place s{classes.fresh(), 0};
  Place at = s;
  for (int i = 0; i < 100; ++i) at = classes.at(at, 1LL << 40);
  EXPECT_EQ(classes.at(at, 1), classes.at(at, 2));
  classes.unify(at, s);
  EXPECT_NE(classes.period(s.cls), 0U);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::alias
