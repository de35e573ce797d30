// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merging, rule by rule: what two paths do not both say is not said behind them.
#include <gtest/gtest.h>

#include "topdown/domain/state.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class MergeTest : public ::testing::Test {
 protected:
  Program program;
  threads::ThreadTable table;
  Universe u{program, table};
  Domain d{u};
  State a, b;
  MergePoint at{threads::ContextId(0), 1, false, false, nullptr};

  SymbolId symbol(std::uint32_t number) {
    return u.symbol({.kind = SymbolKind::Defined, .bits = 64, .a = 0, .b = number, .depends = {}});
  }
  /// The symbol that merging at this point gives to the value of key 1.
  SymbolId merged_before() {
    return u.symbol({.kind = SymbolKind::MergedValue, .bits = 64, .a = 0, .b = 1, .c = 1, .depends = {}});
  }
  void know(SymbolId x, Interval in_a, Interval in_b) {
    d.set_info(a, x, u.number(in_a));
    d.set_info(b, x, u.number(in_b));
  }
  void hold(State& s, std::uint32_t key, FormId form) { s.environment = u.maps.set(s.environment, key, form.index()); }
  State merged() {
    return d.merge(a, b, at, [this](const State&, CellId) { return u.constant(0); });
  }
  FormId form(const State& s, std::uint32_t key) { return FormId(*u.maps.find(s.environment, key)); }
};

TEST_F(MergeTest, AllocatedAsOftenAsOnEitherPath) {
  a.allocated = u.maps.set(0, 3, 1);
  b.allocated = u.maps.set(u.maps.set(0, 3, 2), 4, 1);
  const State m = merged();
  EXPECT_EQ(u.maps.find(m.allocated, 3), 2U);
  EXPECT_EQ(u.maps.find(m.allocated, 4), 1U);
}

TEST_F(MergeTest, OthersRunIfTheyDoOnEitherPath) {
  b.parallel = b.was_parallel = true;
  EXPECT_TRUE(merged().parallel);
  EXPECT_TRUE(merged().was_parallel);
}

TEST_F(MergeTest, ASymbolOfThisPointIsAnotherNumberNow) {
  const SymbolId before = merged_before();
  know(before, {0, 3}, {0, 3});
  hold(a, 1, u.of_symbol(before));
  hold(b, 1, u.of_symbol(before, 1));  // once round the loop
  hold(a, 2, u.of_symbol(before));
  hold(b, 2, u.of_symbol(before));  // the number of last time
  const State m = merged();
  EXPECT_NE(form(m, 1), form(m, 2));
}

TEST_F(MergeTest, ALockNamedByASymbolOfThisPointIsAnotherLockNow) {
  const SymbolId before = merged_before();
  know(before, {0, 3}, {0, 3});
  hold(a, 1, u.of_symbol(before));
  hold(b, 1, u.of_symbol(before, 1));
  for (State* s : {&a, &b}) s->locks = u.maps.set(0, u.of_symbol(before, 8).index(), to_number({}));
  EXPECT_EQ(u.maps.size(merged().locks), 0U);
}

TEST_F(MergeTest, WhatIsKnownOfASymbolIsJoined) {
  const SymbolId x = symbol(1);
  know(x, {0, 3}, {5, 9});
  hold(a, 1, u.of_symbol(x));
  hold(b, 1, u.of_symbol(x));
  EXPECT_EQ(d.interval_of(merged(), u.of_symbol(x), 64), (Interval{0, 9}));
}

TEST_F(MergeTest, ACellThatOnePathNeverWrote) {
  const CellId cell = u.cell(u.object(ObjectKind::Hidden, 0, {}, {}, false, "cell"), 0, 8, 0);
  a.memory = u.maps.set(0, cell.index(), u.constant(5).index());
  const State first = merged();
  EXPECT_EQ(d.interval_of(first, FormId(*u.maps.find(first.memory, cell.index())), 64), (Interval{0, 5}));
  std::swap(a, b);
  const State second = merged();
  EXPECT_EQ(d.interval_of(second, FormId(*u.maps.find(second.memory, cell.index())), 64), (Interval{0, 5}));
}

TEST_F(MergeTest, ABoundHoldsIfItHoldsOnBothPaths) {
  const SymbolId x = symbol(1);
  const SymbolId y = symbol(2);
  know(x, {0, 100}, {0, 100});
  know(y, {0, 100}, {0, 100});
  for (State* s : {&a, &b}) {
    hold(*s, 1, u.of_symbol(x));
    hold(*s, 2, u.of_symbol(y));
  }
  a.upper = u.maps.set(0, x.index(), u.of_symbol(y).index());
  b.created = u.maps.set(0, 1, 1);
  EXPECT_FALSE(d.must_be_at_most(merged(), u.of_symbol(x), u.of_symbol(y)));
  b.upper = a.upper;
  EXPECT_TRUE(d.must_be_at_most(merged(), u.of_symbol(x), u.of_symbol(y)));
}

TEST_F(MergeTest, ABoundOfAMergedNumberIsAskedOfBothPaths) {
  const SymbolId x = symbol(1);
  const SymbolId y = symbol(2);
  const SymbolId n = symbol(3);
  for (const SymbolId known : {x, y, n}) know(known, {0, 100}, {0, 100});
  for (State* s : {&a, &b}) hold(*s, 2, u.of_symbol(n));
  hold(a, 1, u.of_symbol(x));
  hold(b, 1, u.of_symbol(y));
  a.upper = u.maps.set(0, x.index(), u.of_symbol(n).index());
  const State one = merged();
  EXPECT_FALSE(d.must_be_at_most(one, form(one, 1), u.of_symbol(n)));
  b.upper = u.maps.set(0, y.index(), u.of_symbol(n).index());
  const State both = merged();
  EXPECT_TRUE(d.must_be_at_most(both, form(both, 1), u.of_symbol(n)));
}

/// A symbol gets a new number; a fresh object settles.
class IdentityTest : public MergeTest {
 protected:
  State s;
  ObjectId fresh = u.object(ObjectKind::Hidden, 0, {}, {}, true, "object");
  ObjectId settled = u.object(ObjectKind::Hidden, 0, {}, {}, false, "object");
};

TEST_F(IdentityTest, MemoryForgetsTheNameOfAnOldNumber) {
  const SymbolId x = symbol(1);
  d.set_info(s, x, u.number({0, 3}));
  const CellId cell = u.cell(settled, 0, 8, 0);
  s.memory = u.maps.set(0, cell.index(), u.of_symbol(x).index());
  d.define(s, x, u.number({10, 20}));
  EXPECT_EQ(d.interval_of(s, FormId(*u.maps.find(s.memory, cell.index())), 64), (Interval{0, 3}));
}

TEST_F(IdentityTest, ABoundByAnOldNumberIsGone) {
  const SymbolId x = symbol(1);
  const SymbolId y = symbol(2);
  for (const SymbolId known : {x, y}) d.set_info(s, known, u.number({0, 100}));
  s.upper = u.maps.set(0, y.index(), u.of_symbol(x).index());
  s.lower = u.maps.set(0, y.index(), u.of_symbol(x).index());
  d.define(s, x, u.number({0, 100}));
  EXPECT_EQ(u.maps.size(s.upper), 0U);
  EXPECT_EQ(u.maps.size(s.lower), 0U);
}

TEST_F(IdentityTest, AnExpressionOverAnOldNumberIsNotKnown) {
  const SymbolId x = symbol(1);
  const SymbolId expression =
      u.symbol({.kind = SymbolKind::Binary, .bits = 64, .a = 1, .b = 2, .depends = std::vector{x}});
  d.set_info(s, x, u.number({0, 3}));
  d.set_info(s, expression, u.number({0, 7}));
  d.define(s, x, u.number({10, 20}));
  EXPECT_FALSE(u.maps.contains(s.infos, expression.index()));
}

TEST_F(IdentityTest, AnObjectThatStandsForSeveralHasNoAddressOfItsOwn) {
  u.objects[settled].many = true;
  hold(s, 1, u.address_of(fresh, 8));
  d.rename_object(s, fresh, settled);
  EXPECT_NE(form(s, 1), u.address_of(settled, 8));
  const Info info = u.infos[d.info_of(s, form(s, 1), 64)];
  ASSERT_TRUE(info.addresses.valid());
  EXPECT_EQ(u.points_to[info.addresses].targets[0].object, settled);
}

TEST_F(IdentityTest, LocksAndDescriptionsAreRenamed) {
  const SymbolId x = symbol(1);
  d.set_info(s, x, u.addresses({{fresh, 0, 0, 0}}));
  s.locks = u.maps.set(0, u.address_of(fresh, 8).index(), to_number({}));
  d.rename_object(s, fresh, settled);
  EXPECT_TRUE(u.maps.contains(s.locks, u.address_of(settled, 8).index()));
  EXPECT_FALSE(u.maps.contains(s.locks, u.address_of(fresh, 8).index()));
  EXPECT_EQ(u.points_to[u.infos[d.info_of_symbol(s, x)].addresses].targets[0].object, settled);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
