// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, conditions, semaphores, barriers: when an operation is enabled, and what it does. Objects are known by address
// alone; one that was never initialised by a call is what its bytes say (static initialisers).
#include "base/check.h"
#include "interpret/core/core.h"

namespace heddle::interpret {
namespace {

constexpr int e_perm = 1, e_busy = 16, e_deadlock = 35;

bool is_free(const Sync* lock) { return lock == nullptr || (lock->owner == no_thread && lock->readers == 0); }

/// glibc keeps the type of a mutex behind lock, count, owner (and a user count with 64 bits).
LockType static_type(Core& core, Address address) {
  const std::uint64_t offset = core.pointer_bytes == 8 ? 16 : 12;
  const ObjectId id = core.memory.find(address);
  if (id == 0) return LockType::Normal;
  const Object& object = core.memory.object(id);
  const std::uint64_t at = address - object.base + offset;
  if (at + 4 > object.size) return LockType::Normal;
  std::uint32_t kind = 0;
  std::memcpy(&kind, object.data + at, 4);
  return kind == 1 ? LockType::Recursive : kind == 2 ? LockType::ErrorCheck : LockType::Normal;
}

void remove_held(Thread& thread, Address lock) {
  for (auto it = thread.held.rbegin(); it != thread.held.rend(); ++it)
    if (it->lock == lock) {
      thread.held.erase(std::next(it).base());
      return;
    }
}

bool holds_shared(const Thread& thread, Address lock) {
  for (const HeldLock& held : thread.held)
    if (held.lock == lock && held.is_shared) return true;
  return false;
}

}  // namespace

Sync& Core::sync(Address address) {
  const auto [it, is_new] = sync_index.try_emplace(address, static_cast<std::uint32_t>(syncs.size()));
  if (is_new) {
    Sync row;
    row.address = address;
    row.type = static_type(*this, address);
    syncs.push_back(row);
    if (memory.logging()) memory.log().push_back({LogEntry::Kind::NewSync, 0, 0, address, 0, 0});
  }
  return syncs[it->second];
}

const Sync* Core::find_sync(Address address) const {
  const auto it = sync_index.find(address);
  return it == sync_index.end() ? nullptr : &syncs[it->second];
}

void Core::save_sync(Sync& row) {
  if (!memory.logging()) return;
  sync_saves.push_back(row);
  memory.log().push_back({LogEntry::Kind::Sync, 0, 0, row.address, 0, 0});
}

void Core::drop_syncs(const Object& object) {
  for (Sync& row : syncs) {
    if (row.address - object.base >= object.size) continue;
    save_sync(row);
    row = {row.address, LockType::Normal, no_thread, 0, 0, 0, 0};
  }
}

Address Core::sync_address(const Slot& pointer) {
  Object& object = resolve(pointer, 1, false);
  memory.mark_sync(static_cast<ObjectId>(&object - memory.objects()));
  return pointer.bits & memory.address_mask();
}

bool Core::op_enabled(ThreadIndex index, OpKind op, Address object, Address lock) const {
  const Thread& thread = threads[index];
  const Sync* row = find_sync(object);
  switch (op) {
    case OpKind::Lock: return is_free(row) || (row->owner == index && row->type != LockType::Normal);
    case OpKind::LockShared: return row == nullptr || row->owner == no_thread;
    case OpKind::Wake:
      return (thread.was_signalled || thread.is_timed || options.spurious_wakeups) && is_free(find_sync(lock));
    case OpKind::BarrierLeave: return row == nullptr || row->generation != thread.wait_count;
    case OpKind::SemWait: return row != nullptr && row->count > 0;
    case OpKind::Once: return row == nullptr || row->count != 1;
    case OpKind::Join: return threads[object].status == ThreadStatus::Finished;
    case OpKind::Section: return section_may_run(thread.section, index);
    case OpKind::None: return false;
    default: return true;
  }
}

/// How often a thread holds its own lock is nobody else's affair.
bool Core::is_nested(OpKind op, Address object) const {
  const Sync* row = find_sync(object);
  if (row == nullptr || row->owner != current) return false;
  return (op == OpKind::Lock && row->type != LockType::Normal) || op == OpKind::TryLock ||
         (op == OpKind::Unlock && row->count > 1);
}

bool Core::admit(Thread& thread, OpKind op, Address object, Address lock) {
  if (is_rehearsal) return true;
  if (section_depth > 0) {
    if (!op_enabled(current, op, object, lock)) throw SectionFailed{op, object};
    return true;
  }
  if (granted) {
    granted = false;
    return true;
  }
  if (is_alone() && op_enabled(current, op, object, lock)) return true;
  thread.op = op;
  thread.op_object = object;
  thread.op_lock = lock;
  thread.touch_count = 0;
  const bool has_object = op != OpKind::Spawn && op != OpKind::Join && op != OpKind::TryJoin && op != OpKind::Detach &&
                          op != OpKind::Exit && op != OpKind::Section && !is_nested(op, object);
  if (has_object) thread.touches[thread.touch_count++] = {object, 1, true, false, true};
  if (lock != 0) thread.touches[thread.touch_count++] = {lock, 1, true, false, true};
  return false;
}

bool Core::try_fails(bool could_succeed) {
  return could_succeed && options.weak_tries && choose({ChoiceKind::TryFails, 1, 2, false, 0, {}, 0, {}}) == 1;
}

int Core::acquire_lock(Thread& thread, Address lock, bool is_shared, bool may_fail) {
  Sync& row = sync(lock);
  if (is_shared) {
    if (row.owner != no_thread) return e_busy;
    save_sync(row);
    ++row.readers;
    thread.held.push_back({lock, true});
    emit(EventKind::AcquireShared, lock, true);
    return 0;
  }
  if (row.owner == current) {
    if (row.type == LockType::ErrorCheck) return may_fail ? e_busy : e_deadlock;
    if (row.type == LockType::Normal) return e_busy;
    save_sync(row);
    ++row.count;
    return 0;
  }
  if (!is_free(&row)) return e_busy;
  save_sync(row);
  row.owner = current;
  row.count = 1;
  thread.held.push_back({lock, false});
  emit(EventKind::Acquire, lock, true);
  return 0;
}

int Core::release_lock(Thread& thread, Address lock) {
  Sync& row = sync(lock);
  save_sync(row);
  if (row.owner == no_thread && row.readers > 0) {
    if (!holds_shared(thread, lock))
      add_note(Note::Kind::LockMisuse, "unlock of a read lock that another thread holds");
    --row.readers;
    remove_held(thread, lock);
    emit(EventKind::ReleaseShared, lock, true);
    return 0;
  }
  if (row.owner != current) {
    if (row.type != LockType::Normal) return e_perm;
    add_note(Note::Kind::LockMisuse, row.owner == no_thread ? "unlock of a lock that is not held"
                                                            : "unlock of a lock that another thread holds");
    if (row.owner == no_thread) return 0;
    touch_thread(row.owner);
    remove_held(threads[row.owner], lock);
  }
  if (row.count > 1) {
    --row.count;
    return 0;
  }
  row.owner = no_thread;
  row.count = 0;
  remove_held(thread, lock);
  emit(EventKind::Release, lock, true);
  return 0;
}

/// The end of a wait: the lock is free, by op_enabled.
void Core::wake(Thread& thread) {
  Sync& row = sync(thread.op_lock);
  save_sync(row);
  row.owner = current;
  row.count = thread.wait_count;
  thread.held.push_back({thread.op_lock, false});
  if (thread.was_signalled) emit(EventKind::Acquire, thread.op_object);
  emit(EventKind::Acquire, thread.op_lock, true);
  const bool timed_out = thread.is_timed && !thread.was_signalled;
  const Slot result{timed_out ? thread.timeout_status : 0ULL, 0, 0, 0};
  finish_call(thread, &result, 1);
}

void Core::leave_barrier(Thread& thread) {
  emit(EventKind::Acquire, thread.op_object);
  const Slot result{};
  finish_call(thread, &result, 1);
}

void Core::emit(EventKind kind, Address address, bool is_lock) {
  Thread& thread = threads[current];
  Event event;
  event.kind = kind;
  event.is_lock = is_lock;
  event.thread = current;
  event.address = address;
  event.path = path_of(thread);
  if (!thread.frames.empty() && thread.frames.back().code != nullptr) {
    event.function = thread.frames.back().code->id;
    event.instruction = thread.frames.back().pc;
  }
  events.push_back(event);
}

}  // namespace heddle::interpret
