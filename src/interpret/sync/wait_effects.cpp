// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conditions, barriers and semaphores. False: the thread stops before the call.
#include <algorithm>

#include "interpret/sync/effects.h"

namespace heddle::interpret {
namespace {

constexpr std::uint32_t most_posts = 0x7fffffff;  // SEM_VALUE_MAX
constexpr int e_overflow = 75;

bool wait_for_condition(NativeCall& call, const api::UseCondition& use, Address object) {
  Core& core = call.core;
  Thread& thread = call.thread;
  Slot lock_pointer = argument(call, use.lock);
  if (use.indirect) lock_pointer = core.space.read_pointer(lock_pointer);
  const Address lock = core.space.resolve_sync(lock_pointer);
  if (core.gate.in_section()) core.account.unsupported("a wait inside an atomic section");
  if (!core.gate.admit(OpKind::Wait, object, lock)) return false;
  const Sync& row = core.syncs.at(lock);
  const bool is_held = row.owner == core.threads.current();
  if (!is_held) core.account.add_note(Note::Kind::LockMisuse, "a wait without the lock");
  if (!is_held && row.type != LockType::Normal) {
    call.give(e_perm);
    return true;
  }
  core.recorder.add(EventKind::Uses, object);
  thread.wait_count = is_held ? row.count : 1;
  if (is_held) Locks(core).release_for_wait(lock);
  thread.op = OpKind::Wake;
  thread.op_object = object;
  thread.op_lock = lock;
  thread.was_signalled = false;
  thread.is_timed = !use.outcome.blocking;
  thread.timeout_status = use.outcome.failure >= 0 ? static_cast<std::uint32_t>(use.outcome.failure) : 0;
  thread.touches = {TouchedBytes{object, 0, true, false, true}, TouchedBytes{lock, 0, true, false, true}};
  thread.touch_count = 2;
  return false;
}

bool notify(NativeCall& call, Address object, bool all) {
  Core& core = call.core;
  if (!core.gate.admit(all ? OpKind::Broadcast : OpKind::Signal, object)) return false;
  core.recorder.add(EventKind::Release, object);
  std::vector<ThreadIndex> waiters;
  for (ThreadIndex t = 0; t < core.threads.size(); ++t)
    if (core.threads[t].op == OpKind::Wake && core.threads[t].op_object == object && !core.threads[t].was_signalled)
      waiters.push_back(t);
  if (!all && waiters.size() > 1) waiters = {waiters[core.choices.waiter(waiters.size())]};
  for (const ThreadIndex t : waiters) {
    core.threads.save(t);
    core.threads[t].was_signalled = true;
  }
  call.give(0);
  return true;
}

/// The bytes of a semaphore that no call has begun say a count, in a way that only the library knows.
bool has_content(Core& core, Address semaphore) {
  const ObjectId id = core.memory.find(semaphore);
  if (id == 0) return false;
  const Object& object = core.memory.object(id);
  const std::uint8_t* const first = object.data + (semaphore - object.base);
  const std::uint64_t count = std::min<std::uint64_t>(8, object.base + object.size - semaphore);
  return std::any_of(first, first + count, [](std::uint8_t byte) { return byte != 0; });
}

}  // namespace

bool use_condition(NativeCall& call, const api::UseCondition& use) {
  const Address object = sync_address(call, use.object);
  switch (use.step) {
    case api::UseCondition::Step::Wait: return wait_for_condition(call, use, object);
    case api::UseCondition::Step::Signal: return notify(call, object, false);
    case api::UseCondition::Step::Broadcast: return notify(call, object, true);
  }
  return true;
}

bool wait_at_barrier(NativeCall& call, const api::WaitAtBarrier& wait) {
  if (wait.step != api::WaitAtBarrier::Step::Wait) return true;  // said for proofs; nothing happens
  Core& core = call.core;
  const Address object = sync_address(call, wait.object);
  Thread& thread = call.thread;
  if (!core.gate.admit(OpKind::BarrierArrive, object)) return false;
  Sync& row = core.syncs.at(object);
  if (row.limit == 0) core.account.undefined("a barrier that was not initialised is waited for");
  core.syncs.save(row);
  core.recorder.add(EventKind::Release, object);
  if (++row.count >= row.limit) {
    row.count = 0;
    ++row.generation;
    core.recorder.add(EventKind::Acquire, object);
    call.give(~0ULL);  // PTHREAD_BARRIER_SERIAL_THREAD
    return true;
  }
  if (core.gate.in_section()) throw SectionFailed{OpKind::BarrierArrive, object};
  thread.op = OpKind::BarrierLeave;
  thread.op_object = object;
  thread.wait_count = row.generation;
  thread.touches[0] = {object, 0, true, false, true};
  thread.touch_count = 1;
  return false;
}

bool use_semaphore(NativeCall& call, const api::UseSemaphore& use) {
  Core& core = call.core;
  const Address object = sync_address(call, use.object);
  if (core.syncs.find(object) == nullptr && has_content(core, object)) call.refuse();
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      const bool blocking = use.outcome.blocking;
      if (!core.gate.admit(blocking ? OpKind::SemWait : OpKind::SemTryWait, object)) return false;
      Sync& row = core.syncs.at(object);
      if (row.count == 0 || (!blocking && core.choices.try_fails())) {
        core.recorder.add(EventKind::Uses, object);
        call.set_errno(use.outcome.failure >= 0 ? use.outcome.failure : e_again);
        call.give(~0ULL);
        return true;
      }
      core.syncs.save(row);
      --row.count;
      core.recorder.add(EventKind::Acquire, object);
      call.give(0);
      return true;
    }
    case api::UseSemaphore::Step::Post: {
      if (!core.gate.admit(OpKind::SemPost, object)) return false;
      Sync& row = core.syncs.at(object);
      if (row.count == most_posts) {
        core.recorder.add(EventKind::Uses, object);
        call.set_errno(e_overflow);
        call.give(~0ULL);
        return true;
      }
      core.syncs.save(row);
      ++row.count;
      core.recorder.add(EventKind::Release, object);
      call.give(0);
      return true;
    }
  }
  return true;
}

}  // namespace heddle::interpret
