// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/sync/locks.h"

#include <algorithm>

namespace heddle::interpret {
namespace {

void remove_held(Thread& thread, Address lock) {
  for (auto it = thread.held.rbegin(); it != thread.held.rend(); ++it)
    if (it->lock == lock) {
      thread.held.erase(std::next(it).base());
      return;
    }
}

bool holds_shared(const Thread& thread, Address lock) {
  return std::ranges::any_of(thread.held, [&](const HeldLock& held) { return held.lock == lock && held.is_shared; });
}

}  // namespace

Sync& Locks::changed(Address object) {
  Sync& row = syncs_.at(object);
  syncs_.save(row);
  return row;
}

int Locks::acquire(Address lock, bool is_shared, bool is_try) {
  Sync& row = syncs_.at(lock);
  Thread& thread = threads_.running();
  if (is_shared) {
    if (row.owner != no_thread) return e_busy;
    syncs_.save(row);
    ++row.readers;
    thread.held.push_back({lock, true});
    recorder_.add(EventKind::AcquireShared, lock, true);
    return 0;
  }
  if (row.owner == threads_.current()) {
    if (row.type == LockType::ErrorCheck) return is_try ? e_busy : e_deadlock;
    if (row.type == LockType::Normal) return e_busy;
    syncs_.save(row);
    ++row.count;
    return 0;
  }
  if (!row.is_free()) return e_busy;
  syncs_.save(row);
  row.owner = threads_.current();
  row.count = 1;
  thread.held.push_back({lock, false});
  recorder_.add(EventKind::Acquire, lock, true);
  return 0;
}

int Locks::release(Address lock) {
  Sync& row = changed(lock);
  Thread& thread = threads_.running();
  if (row.owner == no_thread && row.readers > 0) {
    if (!holds_shared(thread, lock))
      account_.add_note(Note::Kind::LockMisuse, "unlock of a read lock that another thread holds");
    --row.readers;
    remove_held(thread, lock);
    recorder_.add(EventKind::ReleaseShared, lock, true);
    return 0;
  }
  if (row.owner != threads_.current()) {
    if (row.type != LockType::Normal) return e_perm;
    account_.add_note(Note::Kind::LockMisuse, row.owner == no_thread ? "unlock of a lock that is not held"
                                                                     : "unlock of a lock that another thread holds");
    if (row.owner == no_thread) return 0;
    threads_.save(row.owner);
    remove_held(threads_[row.owner], lock);
  }
  if (row.count > 1) {
    --row.count;
    return 0;
  }
  row.owner = no_thread;
  row.count = 0;
  remove_held(thread, lock);
  recorder_.add(EventKind::Release, lock, true);
  return 0;
}

void Locks::release_for_wait(Address lock) {
  changed(lock).count = 1;
  release(lock);
}

Slot Locks::wake() {
  Thread& thread = threads_.running();
  Sync& row = changed(thread.op_lock);
  row.owner = threads_.current();
  row.count = thread.wait_count;
  thread.held.push_back({thread.op_lock, false});
  if (thread.was_signalled) recorder_.add(EventKind::Acquire, thread.op_object);
  recorder_.add(EventKind::Acquire, thread.op_lock, true);
  const bool timed_out = thread.is_timed && !thread.was_signalled;
  return {timed_out ? thread.timeout_status : 0ULL, 0, 0, 0};
}

void Locks::begin_once(Address once) {
  Sync& row = changed(once);
  row.count = 1;
  row.owner = threads_.current();
  recorder_.add(EventKind::Acquire, once);
}

void Locks::end_once(Address once, bool is_done) {
  Sync& row = changed(once);
  row.count = is_done ? 2 : 0;
  row.owner = no_thread;
  recorder_.add(EventKind::Release, once);
}

void Locks::reset(Address object, std::uint32_t count, std::uint32_t limit) {
  changed(object) = {object, LockType::Normal, no_thread, count, 0, limit, 0};
  recorder_.add(EventKind::SyncReset, object);
}

}  // namespace heddle::interpret
