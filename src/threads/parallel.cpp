// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/parallel.h"

namespace heddle::threads {

namespace {

/// `a` runs before its thread starts the (only) branch of the creation tree that `b` belongs to.
bool is_before_creation(const ThreadTable& table, const Phase& a, const Phase& b) {
  if (table.threads[a.thread].multiple || !table.is_ancestor(a.thread, b.thread)) return false;
  return !a.may_have_created(table.child_towards(a.thread, b.thread));
}

}  // namespace

Order order_of(const ThreadTable& table, const Phase& a, const Phase& b) {
  if (a.thread == b.thread) return table.threads[a.thread].parallel ? Order::Overlap : Order::SameThread;
  if (a.must_have_joined(b.thread) || b.must_have_joined(a.thread)) return Order::AlreadyJoined;
  if (is_before_creation(table, a, b) || is_before_creation(table, b, a)) return Order::NotCreatedYet;
  return Order::Overlap;
}

}  // namespace heddle::threads
