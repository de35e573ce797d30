// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions, barriers and semaphores. False: the thread stops before the call.
#include "interpret/sync/effect_call.h"

namespace heddle::interpret {

bool Core::wait_for_condition(NativeCall& call, const api::UseCondition& use, Address object) {
  Thread& thread = call.thread;
  Slot lock_pointer = argument(call, use.lock);
  if (use.indirect) lock_pointer = read_pointer(lock_pointer);
  const Address lock = sync_address(lock_pointer);
  if (section_depth > 0) unsupported("a wait inside an atomic section");
  if (!admit(thread, OpKind::Wait, object, lock)) return false;
  const Sync& row = sync(lock);
  if (row.owner != current) add_note(Note::Kind::LockMisuse, "a wait without the lock");
  if (row.owner != current && row.type != LockType::Normal) {
    call.give(e_perm);
    return true;
  }
  thread.wait_count = row.owner == current ? row.count : 1;
  if (row.owner == current) {
    save_sync(sync(lock));
    sync(lock).count = 1;
    release_lock(thread, lock);
  }
  thread.op = OpKind::Wake;
  thread.op_object = object;
  thread.op_lock = lock;
  thread.was_signalled = false;
  thread.is_timed = !use.outcome.blocking;
  thread.timeout_status = use.outcome.failure >= 0 ? static_cast<std::uint32_t>(use.outcome.failure) : 0;
  thread.touches = {Touch{object, 1, true, false, true}, Touch{lock, 1, true, false, true}};
  thread.touch_count = 2;
  return false;
}

bool Core::notify(NativeCall& call, Address object, bool all) {
  if (!admit(call.thread, all ? OpKind::Broadcast : OpKind::Signal, object)) return false;
  emit(EventKind::Release, object);
  std::vector<ThreadIndex> waiters;
  for (ThreadIndex t = 0; t < threads.size(); ++t)
    if (threads[t].op == OpKind::Wake && threads[t].op_object == object && !threads[t].was_signalled)
      waiters.push_back(t);
  if (!all && waiters.size() > 1)
    waiters = {waiters[choose({ChoiceKind::Waiter, 0, waiters.size(), false, 0, {}, 0, {}})]};
  for (const ThreadIndex t : waiters) {
    touch_thread(t);
    threads[t].was_signalled = true;
  }
  call.give(0);
  return true;
}

bool Core::use_condition(NativeCall& call, const api::UseCondition& use) {
  const Address object = sync_address(argument(call, use.object));
  switch (use.step) {
    case api::UseCondition::Step::Wait: return wait_for_condition(call, use, object);
    case api::UseCondition::Step::Signal: return notify(call, object, false);
    case api::UseCondition::Step::Broadcast: return notify(call, object, true);
  }
  return true;
}

bool Core::wait_at_barrier(NativeCall& call, const api::WaitAtBarrier& wait) {
  const Address object = sync_address(argument(call, wait.object));
  Thread& thread = call.thread;
  if (!admit(thread, OpKind::BarrierArrive, object)) return false;
  Sync& row = sync(object);
  if (row.limit == 0) undefined("a barrier that was not initialised is waited for");
  save_sync(row);
  emit(EventKind::Release, object);
  if (++row.count >= row.limit) {
    row.count = 0;
    ++row.generation;
    emit(EventKind::Acquire, object);
    call.give(~0ULL);  // PTHREAD_BARRIER_SERIAL_THREAD
    return true;
  }
  if (section_depth > 0) throw SectionFailed{OpKind::BarrierArrive, object};
  thread.op = OpKind::BarrierLeave;
  thread.op_object = object;
  thread.wait_count = row.generation;
  thread.touches[0] = {object, 1, true, false, true};
  thread.touch_count = 1;
  return false;
}

bool Core::use_semaphore(NativeCall& call, const api::UseSemaphore& use) {
  const Address object = sync_address(argument(call, use.object));
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      const bool blocking = use.outcome.blocking;
      if (!admit(call.thread, blocking ? OpKind::SemWait : OpKind::SemTryWait, object)) return false;
      Sync& row = sync(object);
      if (row.count == 0 || (!blocking && try_fails(true))) {
        call.set_errno(use.outcome.failure >= 0 ? use.outcome.failure : e_again);
        call.give(~0ULL);
        return true;
      }
      save_sync(row);
      --row.count;
      emit(EventKind::Acquire, object);
      call.give(0);
      return true;
    }
    case api::UseSemaphore::Step::Post: {
      if (!admit(call.thread, OpKind::SemPost, object)) return false;
      Sync& row = sync(object);
      save_sync(row);
      ++row.count;
      emit(EventKind::Release, object);
      call.give(0);
      return true;
    }
  }
  return true;
}

}  // namespace heddle::interpret
