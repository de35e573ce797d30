// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/lockset_table.h"

#include <algorithm>

#include "scan/names/one_place.h"

namespace heddle::scan {

std::uint32_t LocksetTable::intern(RelativeLockset lockset) {
  const auto at = std::ranges::find(rows_, lockset);
  if (at != rows_.end()) return static_cast<std::uint32_t>(at - rows_.begin());
  rows_.push_back(std::move(lockset));
  return static_cast<std::uint32_t>(rows_.size() - 1);
}

std::uint32_t LocksetTable::join(std::uint32_t a, std::uint32_t b) {
  return a == b ? a : intern(locks::join(rows_[a], rows_[b]));
}

std::uint32_t LocksetTable::widen(std::uint32_t known, std::uint32_t next) {
  return known == next ? known : intern(locks::widen(rows_[known], rows_[next]));
}

std::uint32_t LocksetTable::acquire(std::uint32_t before, Lvalue lock, locks::Mode mode) {
  if (may_refuse_ && rows_[before].find(lock) != nullptr) return before;
  RelativeLockset held = rows_[before];
  held.acquire(lock, mode);
  return intern(std::move(held));
}

std::uint32_t LocksetTable::release(std::uint32_t before, Lvalue lock) { return intern(without(rows_[before], lock)); }

RelativeLockset LocksetTable::without(RelativeLockset held, Lvalue lock) {
  for (const Lvalue one : released_names(held, lock)) {
    renaming_.drop_other_names(held, one);
    const auto relation = [&](Lvalue released, Lvalue other) { return may_mean(released, other); };
    while (may_refuse_ && held.find(one) != nullptr) held.release(one, relation);
    held.release(one, relation);
  }
  return held;
}

std::vector<Lvalue> LocksetTable::released_names(const RelativeLockset& held, Lvalue lock) {
  if (held.find(lock) != nullptr) return {lock};
  std::vector<Lvalue> meant = names_.meanings(lock);
  if (meant.empty()) meant.push_back(lock);
  return meant;
}

std::uint32_t LocksetTable::thrown() {
  RelativeLockset out;
  for (const RelativeLockset& row : rows_)
    for (const ReleasedLock& gone : row.released) {
      const ReleasedLock* same = locks::find_row(out.released, gone.lock);
      ReleasedLock worst = gone;
      if (same != nullptr)
        worst = {gone.lock, std::max(gone.count, same->count), std::max(gone.weakened, same->weakened)};
      locks::set_row(out.released, worst, true);
    }
  return intern(std::move(out));
}

std::uint32_t LocksetTable::enter(std::uint32_t rank, std::uint32_t before) {
  if (!renaming_.forgets_any(rank)) return before;
  RelativeLockset held = rows_[before];
  return renaming_.enter(rank, held) ? intern(std::move(held)) : before;
}

std::uint32_t LocksetTable::cross(std::uint32_t from, std::uint32_t to, std::uint32_t before) {
  if (!renaming_.has_phis(to) || rows_[before].acquired.empty()) return before;
  RelativeLockset held = rows_[before];
  renaming_.cross(from, to, held);
  return intern(std::move(held));
}

Lvalue LocksetTable::some_lock(const FunctionSummary& callee, Lvalue lock) {
  const TypedByte at = typed_byte(callee.nodes, lock);
  return {names_.some_object(at.type), static_cast<std::int32_t>(at.offset)};
}

/// A callee's lockset in our terms; of locks that have no name here, only the kind.
std::uint32_t LocksetTable::rebound(std::uint32_t index, std::uint32_t number) {
  const BoundCall& call = calls_[index];
  if (rebound_[index].empty()) rebound_[index].assign(call.summary->locksets.size(), unasked);
  if (rebound_[index][number] != unasked) return rebound_[index][number];
  const FunctionSummary& callee = *call.summary;
  const RelativeLockset& theirs = callee.locksets[number];
  RelativeLockset ours;
  for (const HeldLock& held : theirs.acquired) {
    Lvalue lock = call.name(held.lock);
    const TypeId type = callee.nodes[held.lock.node.index()].type;
    if (!lock.valid() && type && program_.types[type].kind == TypeKind::Struct) lock = some_lock(callee, held.lock);
    if (lock.valid()) ours.acquire(lock, held.mode, held.count);
  }
  // Two names of theirs may be one of ours: it is given back if either is.
  for (const ReleasedLock& gone : theirs.released) {
    Lvalue at = call.name(gone.lock);
    if (BoundCall::has_no_name(at)) at = some_lock(callee, gone.lock);
    if (!at.valid()) continue;
    const ReleasedLock* same = locks::find_row(ours.released, at);
    ReleasedLock row{at, gone.count, gone.weakened};
    if (same != nullptr) row = {at, std::max(row.count, same->count), std::max(row.weakened, same->weakened)};
    locks::set_row(ours.released, row, true);
  }
  return rebound_[index][number] = intern(std::move(ours));
}

std::uint32_t LocksetTable::after_call(std::uint32_t index, std::uint32_t before, std::uint32_t callee_lockset) {
  const BoundCall& call = calls_[index];
  if (!call.is_bound || callee_lockset == 0) return before;
  Composed& known = composed_[index];
  if (known.before != before) known = {before, std::vector(call.summary->locksets.size(), unasked)};
  if (known.after[callee_lockset] == unasked) known.after[callee_lockset] = compose_call(index, before, callee_lockset);
  return known.after[callee_lockset];
}

std::uint32_t LocksetTable::compose_call(std::uint32_t index, std::uint32_t before, std::uint32_t callee_lockset) {
  const BoundCall& call = calls_[index];
  const std::uint32_t theirs = rebound(index, callee_lockset);
  // A guard object of ours that gives back a lock of which it is not known which: it may be any that we took.
  const bool loses_any =
      std::ranges::any_of(call.summary->locksets[callee_lockset].released,
                          [&](const ReleasedLock& gone) { return call.name(gone.lock) == BoundCall::somewhere(); });
  if (loses_any) return intern(compose(RelativeLockset{{}, rows_[before].released}, rows_[theirs]));
  if (theirs == 0) return before;
  RelativeLockset first = rows_[before];
  const RelativeLockset then = by_meaning(first, rows_[theirs]);
  for (const ReleasedLock& gone : then.released) renaming_.drop_other_names(first, gone.lock);
  return intern(compose(first, then, [&](Lvalue released, Lvalue held) { return may_mean(released, held); }));
}

/// The same, with every name for one of several locks replaced by these; what is given back may be any of them.
RelativeLockset LocksetTable::by_meaning(const RelativeLockset& held, const RelativeLockset& then) {
  RelativeLockset out = then;
  for (const ReleasedLock& gone : then.released) {
    const std::vector<Lvalue> meant = released_names(held, gone.lock);
    if (meant.size() == 1 && meant[0] == gone.lock) continue;
    locks::set_row(out.released, gone, false);
    for (const Lvalue one : meant)
      if (locks::find_row(out.released, one) == nullptr)
        locks::set_row(out.released, ReleasedLock{one, gone.count, gone.weakened}, true);
  }
  return out;
}

bool LocksetTable::may_mean(Lvalue released, Lvalue held) const {
  const NodeId root = nodes_.root(released.node), other = nodes_.root(held.node);
  // Whether an object is none that another name leads to: what the function made itself is nothing that it was given.
  const auto is_out_of_reach = [&](NodeId object, bool from_parameter) {
    const Node& node = nodes_[object];
    return node.kind == NodeKind::Global ? !from_parameter && !pointed_to_[node.index] : from_parameter;
  };
  const auto is_parameter = [&](Lvalue lock, NodeId id) {
    return nodes_[id].kind == NodeKind::Formal && nodes_[lock.node].depth == 0;
  };
  const bool is_sure = names_one_object(nodes_.all(), released.node);
  const bool other_is_sure = names_one_object(nodes_.all(), held.node);
  if (nodes_[root].kind == NodeKind::Hidden || nodes_[other].kind == NodeKind::Hidden) return false;
  if (is_sure && other_is_sure) {
    const bool has_element = released.node != root || held.node != other;
    if (root != other || !has_element) return false;
  }
  if ((is_sure && is_out_of_reach(root, is_parameter(held, other))) ||
      (other_is_sure && is_out_of_reach(other, is_parameter(released, root))))
    return false;
  if (released.node == held.node && !is_some_object(nodes_[held.node])) return false;
  if (!typed_memory_) return true;
  const TypedByte a = typed_byte(nodes_.all(), released), b = typed_byte(nodes_.all(), held);
  // Their layouts are part of what the summary depends on.
  names_.keys().at(a.type, a.offset);
  names_.keys().at(b.type, b.offset);
  return may_be_one_place(program_, a, b);
}

}  // namespace heddle::scan
