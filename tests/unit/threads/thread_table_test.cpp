// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <set>

#include "threads/parallel.h"
#include "threads/thread_table.h"

namespace heddle::threads {
namespace HEDDLE_TEST_FILE {

class Threads : public ::testing::Test {
 protected:
  ThreadTable table;
  FunctionId main_entry{0}, f{1}, g{2};
  ThreadId main = table.main_thread(main_entry);
  ThreadId a = table.thread(table.threads[main].root, 1, f);
  ThreadId b = table.thread(table.threads[main].root, 2, f);
  ThreadId child = table.thread(table.threads[a].root, 1, g);

  static Phase at(ThreadId thread, std::set<ThreadId> created = {}, std::set<ThreadId> joined = {}) {
    return {thread, [created](ThreadId t) { return created.contains(t); },
            [joined](ThreadId t) { return joined.contains(t); }};
  }
};

TEST_F(Threads, AreNamedByTheirCreation) {
  EXPECT_EQ(table.thread(table.threads[main].root, 1, f), a);
  EXPECT_NE(a, b);
  EXPECT_EQ(table.parent(child), a);
  EXPECT_TRUE(table.is_ancestor(main, child));
  EXPECT_FALSE(table.is_ancestor(child, main));
  EXPECT_FALSE(table.is_ancestor(a, a));
  EXPECT_EQ(table.child_towards(main, child), a);
}

TEST_F(Threads, AThreadThatStartsItselfIsOneThreadManyTimes) {
  const FunctionId helper{3};
  const ContextId first = table.call(table.threads[main].root, 7, helper);
  const ThreadId worker = table.thread(first, 4, f);
  const ContextId again = table.call(table.threads[worker].root, 9, helper);
  EXPECT_EQ(table.thread(again, 4, f), worker);
  EXPECT_TRUE(table.threads[worker].parallel);
  EXPECT_TRUE(table.threads[worker].multiple);
}

TEST_F(Threads, CallStringsAreContexts) {
  const ContextId root = table.threads[main].root;
  const ContextId one = table.call(root, 3, g);
  EXPECT_EQ(table.call(root, 3, g), one);
  EXPECT_NE(table.call(root, 4, g), one);
  EXPECT_EQ(table.contexts[one].depth, 1U);
  EXPECT_EQ(table.contexts[one].thread, main);
}

TEST_F(Threads, CallsShareAContextWhereThereAreMany) {
  const ContextId root = table.threads[main].root;
  const FunctionId h{5};
  for (std::uint32_t i = 0; i < 300; ++i) (void)table.call(root, i, g);
  const ContextId one = table.bounded_call(root, 1, f);
  const ContextId two = table.bounded_call(root, 2, f);
  const ContextId shared = table.bounded_call(root, 3, f);
  EXPECT_NE(one, two);
  EXPECT_NE(two, shared);
  const ContextId caller = table.call(root, 7, g);
  EXPECT_EQ(table.bounded_call(caller, 4, f), shared);
  EXPECT_EQ(table.bounded_call(caller, 4, f), shared) << "again";
  EXPECT_FALSE(table.contexts[one].shared);
  EXPECT_EQ(table.contexts[shared].shared, shared);
  const ContextId below = table.bounded_call(shared, 1, h);
  EXPECT_EQ(table.contexts[below].shared, shared);
  EXPECT_TRUE(table.is_shared_above(below, shared));
  EXPECT_FALSE(table.is_shared_above(below, caller));
  EXPECT_EQ(table.active(below), (std::set<ContextId>{root, caller, shared, below})) << "by either caller";
  const ContextId again = table.bounded_call(below, 1, f);
  EXPECT_NE(again, shared) << "it would be above itself";
  EXPECT_EQ(table.bounded_call(table.threads[a].root, 1, f), table.call(table.threads[a].root, 1, f))
      << "another thread has few";
}

TEST_F(Threads, WhatComesToBeAboveASharedContextIsAboveAllBelow) {
  const ContextId root = table.threads[main].root;
  for (std::uint32_t i = 0; i < 300; ++i) (void)table.call(root, i, g);
  const auto shared = [&](FunctionId function) {
    ContextId out;
    for (std::uint32_t i = 0; i < 3; ++i) out = table.bounded_call(root, i, function);
    return out;
  };
  const FunctionId p{5}, q{6}, r{7};
  const ContextId upper = shared(p), lower = shared(q), last = shared(r);
  EXPECT_EQ(table.bounded_call(upper, 1, q), lower);
  EXPECT_TRUE(table.is_shared_above(lower, upper));
  EXPECT_FALSE(table.is_shared_above(lower, last));
  EXPECT_EQ(table.bounded_call(last, 1, p), upper);
  EXPECT_TRUE(table.is_shared_above(lower, last));
  EXPECT_FALSE(table.is_shared_above(last, lower));
  EXPECT_NE(table.bounded_call(lower, 1, r), last) << "it would be above itself";
}

TEST_F(Threads, CreatesTransitively) {
  table.threads[main].creates = {a};
  table.threads[a].creates = {child};
  EXPECT_EQ(table.may_create_transitively(main), (std::set<ThreadId>{a, child}));
}

TEST_F(Threads, NothingBeforeTheCreationOverlaps) {
  EXPECT_EQ(order_of(table, at(main), at(a)), Order::NotCreatedYet);
  EXPECT_EQ(order_of(table, at(a), at(main)), Order::NotCreatedYet);
  EXPECT_EQ(order_of(table, at(main, {b}), at(child)), Order::NotCreatedYet);
  EXPECT_EQ(order_of(table, at(main, {a}), at(child)), Order::Overlap);
}

TEST_F(Threads, ACreatorWithManyInstancesProvesNothing) {
  table.threads[a].multiple = true;
  EXPECT_EQ(order_of(table, at(a), at(child)), Order::Overlap);
}

TEST_F(Threads, NothingAfterTheJoinOverlaps) {
  EXPECT_EQ(order_of(table, at(main, {a}, {a}), at(a)), Order::AlreadyJoined);
  EXPECT_EQ(order_of(table, at(main, {a, b}, {a}), at(b)), Order::Overlap);
  EXPECT_EQ(order_of(table, at(main, {a}, {a}), at(child)), Order::Overlap) << "a child may outlive its creator";
}

TEST_F(Threads, InstancesOfOneThread) {
  EXPECT_EQ(order_of(table, at(a), at(a)), Order::SameThread);
  table.threads[a].parallel = true;
  EXPECT_EQ(order_of(table, at(a), at(a)), Order::Overlap);
}

}  // namespace HEDDLE_TEST_FILE
}  // namespace heddle::threads
