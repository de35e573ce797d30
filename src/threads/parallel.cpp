// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "threads/parallel.h"

namespace heddle::threads {

namespace {

/// `a` runs before its thread starts the (only) branch of the creation tree that `b` belongs to.
bool is_before_creation(const ThreadTable& table, const Phase& a, const Phase& b) {
  if (table.threads[a.thread].multiple || !table.is_ancestor(a.thread, b.thread)) return false;
  return !a.may_have_created(table.child_towards(a.thread, b.thread));
}

/// All of b's thread has ended before `a`. Of a thread that is started again and again only its creator can know that,
/// and who started that one, if all of them have ended too.
bool is_after_join(const ThreadTable& table, const Phase& a, const Phase& b) {
  if (!a.must_have_joined(b.thread)) return false;
  if (!table.threads[b.thread].multiple) return true;
  if (table.threads[a.thread].multiple || !table.is_ancestor(a.thread, b.thread)) return false;
  for (ThreadId creator = table.parent(b.thread); creator != a.thread; creator = table.parent(creator))
    if (!a.must_have_joined(creator)) return false;
  return true;
}

}  // namespace

Order order_of(const ThreadTable& table, const Phase& a, const Phase& b) {
  if (a.thread == b.thread) return table.threads[a.thread].parallel ? Order::Overlap : Order::SameThread;
  if (is_after_join(table, a, b) || is_after_join(table, b, a)) return Order::AlreadyJoined;
  if (is_before_creation(table, a, b) || is_before_creation(table, b, a)) return Order::NotCreatedYet;
  return Order::Overlap;
}

}  // namespace heddle::threads
