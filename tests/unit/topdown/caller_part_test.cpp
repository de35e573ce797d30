// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call sees of a state, rule by rule: the rest is taken out, and comes back as it was.
#include <gtest/gtest.h>

#include "topdown/domain/caller_part.h"

namespace heddle::topdown {
namespace HEDDLE_TEST_FILE {

class CallerPartTest : public ::testing::Test {
 protected:
  Program program;
  threads::ThreadTable table;
  Universe u{program, table};
  Domain d{u};
  CallerParts parts{u};
  ContextId root, callee;
  State s;
  std::uint32_t in_caller = 0, also_in_caller = 0, argument = 0;

  void SetUp() override {
    const FunctionId main = program.functions.add({});
    const FunctionId f = program.functions.add({});
    const FunctionId wrapper = program.functions.add({});
    root = table.threads[table.main_thread(main)].root;
    const ContextId between = table.call(root, 1, wrapper);
    callee = table.call(between, 2, f);
    in_caller = u.environment_key(root, ValueId(0));
    also_in_caller = u.environment_key(between, ValueId(0));
    argument = u.environment_key(callee, ValueId(0));
  }

  /// A number between 0 and 7, named in that context.
  SymbolId number(std::uint32_t name, ContextId context) {
    const SymbolId x =
        u.symbol({.kind = SymbolKind::Defined, .bits = 64, .a = context.index(), .b = name, .depends = {}});
    d.set_info(s, x, u.number({0, 7}));
    return x;
  }
  ObjectId fresh(std::uint32_t name, ContextId context, ObjectKind kind = ObjectKind::Heap) {
    const ObjectId out = u.object(kind, name, context, ThreadId(0), true);
    u.objects[out].settled = u.object(kind, name, context, ThreadId(0), false);
    s.allocated = u.maps.set(s.allocated, out.index(), 2);
    return out;
  }
  CellId cell(ObjectId object, std::int64_t offset = 0) { return u.cell(object, offset, 8, 0); }
  void hold(std::uint32_t key, FormId form) { s.environment = u.maps.set(s.environment, key, form.index()); }
  void store(CellId to, FormId form) { s.memory = u.maps.set(s.memory, to.index(), form.index()); }
  CallerPart take_out(const std::vector<ObjectId>& watched = {}) { return parts.take_out(s, callee, watched); }
  bool holds(std::uint32_t key) { return u.maps.contains(s.environment, key); }
  bool stores(CellId c) { return u.maps.contains(s.memory, c.index()); }
  bool knows(SymbolId x) { return u.maps.contains(s.infos, x.index()); }
};

TEST_F(CallerPartTest, WhatTheCallDoesNotSeeComesBackAsItWas) {
  const SymbolId i = number(1, root);
  const SymbolId n = number(2, root);
  hold(in_caller, u.of_symbol(i));
  s.upper = u.maps.set(s.upper, i.index(), u.of_symbol(n).index());
  store(cell(fresh(9, root)), u.of_symbol(i, 1));
  const State before = s;
  const CallerPart part = take_out();
  EXPECT_EQ(s.environment, 0U);
  EXPECT_EQ(s.memory, 0U);
  EXPECT_EQ(s.infos, 0U);
  EXPECT_EQ(s.upper, 0U);
  EXPECT_EQ(s.allocated, 0U);
  parts.put_back(s, part);
  EXPECT_EQ(s, before);
}

TEST_F(CallerPartTest, ASymbolOfAnArgumentStaysWithWhoeverHoldsIt) {
  const SymbolId n = number(1, root);
  const SymbolId i = number(2, root);
  hold(argument, u.of_symbol(n));
  hold(in_caller, u.combine(u.of_symbol(n), u.of_symbol(i), 1, 64));
  hold(also_in_caller, u.of_symbol(i));
  take_out();
  EXPECT_TRUE(holds(in_caller));
  EXPECT_TRUE(holds(also_in_caller)) << "held together with one that stays";
  EXPECT_TRUE(knows(i));
}

TEST_F(CallerPartTest, ASymbolThatIsBoundedByOneOfAnArgumentStays) {
  const SymbolId n = number(1, root);
  const SymbolId i = number(2, root);
  hold(argument, u.of_symbol(n));
  hold(in_caller, u.of_symbol(i));
  s.upper = u.maps.set(s.upper, i.index(), u.of_symbol(n).index());
  take_out();
  EXPECT_TRUE(holds(in_caller));
  EXPECT_NE(s.upper, 0U);
}

TEST_F(CallerPartTest, ASymbolThatBoundsOneOfAnArgumentStays) {
  const SymbolId i = number(1, root);
  const SymbolId n = number(2, root);
  hold(argument, u.of_symbol(i));
  hold(in_caller, u.of_symbol(n));
  s.upper = u.maps.set(s.upper, i.index(), u.of_symbol(n).index());
  take_out();
  EXPECT_TRUE(holds(in_caller));
  EXPECT_NE(s.upper, 0U);
}

TEST_F(CallerPartTest, WhatMayGetANewNumberInTheCallStays) {
  const SymbolId last_time = number(1, callee);
  const ObjectId global = u.object(ObjectKind::Global, 0, {}, {}, false);
  const SymbolId frozen = u.frozen_symbol(cell(global));
  hold(in_caller, u.of_symbol(last_time));
  hold(also_in_caller, u.of_symbol(frozen));
  take_out();
  EXPECT_TRUE(holds(in_caller));
  EXPECT_TRUE(holds(also_in_caller));
}

TEST_F(CallerPartTest, WhatTheCallMayBuildOrNameItselfStays) {
  const SymbolId address = u.address_symbol(u.object(ObjectKind::Global, 0, {}, {}, false));
  const SymbolId sum = u.symbol({.kind = SymbolKind::Binary, .bits = 64, .depends = {address}});
  hold(in_caller, u.of_symbol(sum));
  hold(also_in_caller, u.address_of(u.object(ObjectKind::ThreadLocal, 1, {}, ThreadId(0), false)));
  take_out();
  EXPECT_TRUE(holds(in_caller)) << "an expression over what everybody knows";
  EXPECT_TRUE(holds(also_in_caller)) << "thread-local objects have a name";
}

TEST_F(CallerPartTest, WhatNamesAHeldLockStays) {
  const SymbolId n = number(1, root);
  hold(in_caller, u.of_symbol(n));
  s.locks = u.maps.set(0, u.of_symbol(n).index(), to_number({}));
  take_out();
  EXPECT_TRUE(holds(in_caller));
}

TEST_F(CallerPartTest, WhatMaySettleInTheCallStaysWhereverItIsNamed) {
  const ObjectId given = fresh(1, root);
  hold(argument, u.address_of(given));
  hold(in_caller, u.opaque(u.join(u.number({0, 0}), u.addresses({{given, 0, 0, 0}}))));
  hold(also_in_caller, u.address_of(u.objects[given].settled));
  take_out();
  EXPECT_TRUE(holds(in_caller));
  EXPECT_TRUE(holds(also_in_caller)) << "it becomes one of these";
}

TEST_F(CallerPartTest, WhatTheLastCallAllocatedStays) {
  const ObjectId made = fresh(1, callee);
  hold(in_caller, u.address_of(made));
  store(cell(made), u.constant(3));
  take_out();
  EXPECT_TRUE(holds(in_caller)) << "the next allocation there makes it another object";
  EXPECT_TRUE(stores(cell(made)));
  EXPECT_NE(s.allocated, 0U);
}

TEST_F(CallerPartTest, MemoryThatAnArgumentLeadsToStays) {
  const ObjectId list = fresh(1, root);
  const ObjectId next = fresh(2, root);
  const ObjectId other = fresh(3, root);
  store(cell(list), u.opaque(u.join(u.number({0, 0}), u.addresses({{next, 0, 0, 0}}))));
  store(cell(next), u.constant(3));
  store(cell(other), u.constant(4));
  hold(argument, u.address_of(list));
  hold(in_caller, u.address_of(other));
  take_out();
  EXPECT_TRUE(stores(cell(list)));
  EXPECT_TRUE(stores(cell(next)));
  EXPECT_FALSE(stores(cell(other)));
  EXPECT_FALSE(holds(in_caller));
}

TEST_F(CallerPartTest, MemoryThatAGlobalLeadsToStays) {
  const ObjectId next = fresh(2, root);
  store(cell(u.object(ObjectKind::Global, 0, {}, {}, false)), u.address_of(next));
  store(cell(next), u.constant(3));
  take_out();
  EXPECT_TRUE(stores(cell(next)));
}

/// The cell stays at once, since it has a symbol of the argument; that its object is reached shows later.
TEST_F(CallerPartTest, ACellThatStaysForItsSymbolLeadsOnWhenItIsReached) {
  const ObjectId last = fresh(1, root);  // the lowest cell: looked at first in each pass
  store(cell(last), u.constant(3));
  const ObjectId middle = fresh(2, root);
  const SymbolId p = number(1, root);
  d.set_info(s, p, u.addresses({{last, 0, 0, 0}}));
  store(cell(middle), u.combine(u.of_symbol(p), u.of_symbol(number(2, root)), 1, 64));
  const ObjectId first = fresh(3, root);
  store(cell(first), u.address_of(middle));
  hold(argument, u.address_of(first));
  s.locks = u.maps.set(0, u.of_symbol(number(2, root)).index(), to_number({}));
  take_out();
  EXPECT_TRUE(stores(cell(middle)));
  EXPECT_TRUE(stores(cell(last)));
}

TEST_F(CallerPartTest, FramesThatAreActiveAndObjectsThatAreWatchedStayAllocated) {
  const ObjectId slot = fresh(1, root, ObjectKind::Stack);
  const ObjectId handles = fresh(2, root);
  const ObjectId other = fresh(3, root);
  take_out({handles});
  EXPECT_TRUE(u.maps.contains(s.allocated, slot.index())) << "a thread that ends in the call ends its frames";
  EXPECT_TRUE(u.maps.contains(s.allocated, handles.index()));
  EXPECT_FALSE(u.maps.contains(s.allocated, other.index()));
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::topdown
