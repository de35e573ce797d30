// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/clocks/atomic_orders.h"

#include <algorithm>

namespace heddle::explore {

AtomicOrders::OfThread& AtomicOrders::of(ThreadIndex thread) {
  if (threads_.size() <= thread) threads_.resize(thread + 1);
  return threads_[thread];
}

template <class Visit>
void AtomicOrders::for_overlapping(const Bytes& bytes, Visit visit) const {
  const std::uint64_t from = bytes.address > largest_ ? bytes.address - largest_ : 0;
  for (auto cell = cells_.lower_bound({from, 0}); cell != cells_.end(); ++cell) {
    if (cell->first.first >= bytes.address + bytes.size) break;
    if (overlap({cell->first.first, cell->first.second}, bytes)) visit(cell->first, cell->second);
  }
}

void AtomicOrders::read_all(const Bytes& bytes, Clock& own) const {
  for_overlapping(bytes, [&](const auto&, const Heads& heads) {
    for (const auto& [thread, clock] : heads) join(own, clock);
  });
}

void AtomicOrders::read(const Deed& deed, Clock& own) {
  Clock got;
  read_all({deed.address, deed.size}, got);
  if (deed.acquires) return join(own, got);
  join(of(deed.thread).read, got);
  if (deed.consumes && !is_strict_) join(of(deed.thread).consumed, got);
}

void AtomicOrders::write(const Deed& deed, const Clock& own) {
  const Bytes bytes{deed.address, deed.size};
  Clock gives = deed.releases ? given(deed.thread, own) : of(deed.thread).fenced;
  if (deed.replaces)
    for_overlapping(bytes, [&](const auto& at, const Heads&) {
      const bool is_covered = at.first >= bytes.address && at.first + at.second <= bytes.address + bytes.size;
      const auto ends = [&](const auto& head) { return is_strict_ || head.first != deed.thread; };
      if (is_covered) std::erase_if(cells_[at], ends);
    });
  largest_ = std::max<std::uint64_t>(largest_, deed.size);
  Heads& heads = cells_[{deed.address, deed.size}];
  if (!gives.empty()) join(heads[deed.thread], gives);
}

void AtomicOrders::fence(const Deed& deed, Clock& own) {
  OfThread& thread = of(deed.thread);
  if (deed.acquires) join(own, thread.read);
  if (deed.releases) thread.fenced = given(deed.thread, own);
}

Clock AtomicOrders::given(ThreadIndex thread, const Clock& own) const {
  Clock all = own;
  if (thread < threads_.size()) join(all, threads_[thread].consumed);
  return all;
}

bool AtomicOrders::consumed(ThreadIndex thread, ThreadIndex other, std::uint32_t epoch) const {
  if (thread >= threads_.size()) return false;
  const Clock& clock = threads_[thread].consumed;
  return other < clock.size() && clock[other] >= epoch;
}

}  // namespace heddle::explore
