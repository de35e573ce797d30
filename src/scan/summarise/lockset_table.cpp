// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/lockset_table.h"

#include <algorithm>

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

std::uint32_t LocksetTable::acquire(std::uint32_t before, Lvalue lock, locks::Mode mode) {
  RelativeLockset held = rows_[before];
  held.acquire(lock, mode);
  return intern(std::move(held));
}

std::uint32_t LocksetTable::release(std::uint32_t before, Lvalue lock) {
  RelativeLockset held = rows_[before];
  renaming_.drop_other_names(held, lock);
  held.release(lock, [&](Lvalue released, Lvalue other) { return may_mean(released, other); });
  return intern(std::move(held));
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

/// A lock of an object that has no name here: all that is left is its kind, the member of the struct.
Lvalue LocksetTable::some_lock(const FunctionSummary& callee, Lvalue lock) {
  const TypeId type = callee.nodes[lock.node.index()].type;
  if (!type || program_.types[type].kind != TypeKind::Struct) return {};
  return {names_.some_object(type), lock.offset};
}

/// A callee's lockset in our terms; of locks that have no name here, only the kind.
std::uint32_t LocksetTable::rebound(std::uint32_t index, std::uint32_t number) {
  const BoundCall& call = calls_[index];
  if (rebound_[index].empty()) rebound_[index].assign(call.summary->locksets.size(), unasked);
  if (rebound_[index][number] != unasked) return rebound_[index][number];
  const RelativeLockset& theirs = call.summary->locksets[number];
  RelativeLockset ours;
  const auto name = [&](Lvalue lock) {
    const Lvalue at = call.name(lock);
    return at.valid() ? at : some_lock(*call.summary, lock);
  };
  for (const HeldLock& held : theirs.acquired)
    if (const Lvalue lock = name(held.lock); lock.valid()) ours.acquire(lock, held.mode, held.count);
  // Two names of theirs may be one of ours: it is given back if either is.
  for (const ReleasedLock& gone : theirs.released)
    if (const Lvalue at = name(gone.lock); at.valid())
      if (gone.count != 0 || locks::find_row(ours.released, at) == nullptr)
        locks::set_row(ours.released, ReleasedLock{at, gone.count, gone.weakened}, true);
  return rebound_[index][number] = intern(std::move(ours));
}

std::uint32_t LocksetTable::after_call(std::uint32_t index, std::uint32_t before, std::uint32_t callee_lockset) {
  const BoundCall& call = calls_[index];
  if (!call.is_bound || callee_lockset == 0) return before;
  const std::uint32_t theirs = rebound(index, callee_lockset);
  // A guard object of ours that gives back a lock of which it is not known which: it may be any that we took.
  const bool loses_any =
      std::ranges::any_of(call.summary->locksets[callee_lockset].released,
                          [&](const ReleasedLock& gone) { return call.name(gone.lock) == BoundCall::somewhere(); });
  if (loses_any) return intern(compose(RelativeLockset{{}, rows_[before].released}, rows_[theirs]));
  if (theirs == 0) return before;
  RelativeLockset first = rows_[before];
  for (const ReleasedLock& gone : rows_[theirs].released) renaming_.drop_other_names(first, gone.lock);
  return intern(compose(first, rows_[theirs], [&](Lvalue released, Lvalue held) {
    return is_some_object(nodes_[held.node]) && may_mean(released, held);
  }));
}

/// Whether a release by this name may mean a lock that was taken by another: a vague name, of the same place in the
/// same kind of object.
bool LocksetTable::may_mean(Lvalue released, Lvalue held) const {
  const Node& root = nodes_[nodes_.root(released.node)];
  const Node& other = nodes_[nodes_.root(held.node)];
  const bool is_element = nodes_[released.node].kind == NodeKind::Element;
  if (is_some_object(nodes_[held.node])) return released.offset == held.offset;
  if (root.kind != NodeKind::Value && !is_element) return false;
  // Objects of their own are not each other.
  if (root.kind != NodeKind::Value && other.kind != NodeKind::Value &&
      nodes_.root(released.node) != nodes_.root(held.node))
    return false;
  if (released.offset == held.offset && (other.kind == NodeKind::Value || nodes_[held.node].kind == NodeKind::Element))
    return true;
  const auto record = [&](NodeId node) {
    TypeId type = nodes_[node].type;
    while (type && program_.types[type].kind == TypeKind::Array) type = program_.types[type].element;
    return type && program_.types[type].kind == TypeKind::Struct ? type : TypeId{};
  };
  const TypeId type = record(released.node);
  if (!type || type != record(held.node)) return false;
  const auto size = static_cast<std::int32_t>(program_.types[type].size_bytes());
  return size > 0 && (released.offset - held.offset) % size == 0;
}

}  // namespace heddle::scan
