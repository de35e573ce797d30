// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Locks, atomic sections, once flags, and how synchronisation objects begin and end.
#include "interpret/sync/effects.h"

namespace heddle::interpret {
namespace {

bool could_take(const Sync* lock, bool is_shared) {
  return lock == nullptr || (lock->owner == no_thread && (is_shared || lock->readers == 0));
}

OpKind lock_operation(bool blocking, bool is_shared) {
  if (blocking) return is_shared ? OpKind::LockShared : OpKind::Lock;
  return is_shared ? OpKind::TryLockShared : OpKind::TryLock;
}

bool take_object(NativeCall& call, const api::TakeLock& take) {
  Core& core = call.core;
  const Address lock = sync_address(call, take.lock.object);
  const bool is_shared = take.mode == api::LockMode::Shared;
  const bool blocking = take.outcome.blocking;
  if (take.recursive && core.syncs.at(lock).type == LockType::Normal) {
    core.syncs.save(core.syncs.at(lock));
    core.syncs.at(lock).type = LockType::Recursive;
  }
  if (blocking && take.outcome.failure >= 0 && core.syncs.at(lock).owner == core.threads.current()) {
    call.give(static_cast<std::uint64_t>(take.outcome.failure));
    return true;
  }
  if (!core.gate.admit(lock_operation(blocking, is_shared), lock)) return false;
  const bool fails = !blocking && could_take(core.syncs.find(lock), is_shared) && core.choices.try_fails();
  const bool is_try = !blocking && take.outcome.failure == e_busy;
  const int status = fails ? e_busy : Locks(core).acquire(lock, is_shared, is_try);
  if (status != 0) core.recorder.add(EventKind::Uses, lock);
  give_status(call, take.outcome, status);
  return true;
}

void begin_lock(NativeCall& call, const api::SetUpObject& begin) {
  const Address lock = sync_address(call, begin.object);
  std::uint64_t kind = begin.recursive ? 1 : 0;
  if (has_argument(call, begin.value) && argument(call, begin.value).bits != 0)
    kind = call.core.space.read_word(argument(call, begin.value), 4) & 3;
  if (has_argument(call, begin.recursive_if)) kind = argument(call, begin.recursive_if).bits & 1;
  Locks(call.core).reset(lock, 0, 0);
  call.core.syncs.at(lock).type = kind == 1 ? LockType::Recursive : kind == 2 ? LockType::ErrorCheck : LockType::Normal;
  call.give(0);
}

void end_lock(NativeCall& call, const api::SetUpObject& end) {
  const Address lock = sync_address(call, end.object);
  const Sync& row = call.core.syncs.at(lock);
  call.core.recorder.add(EventKind::SyncReset, lock);
  if (!row.is_free()) call.core.account.add_note(Note::Kind::LockMisuse, "a lock that is held is destroyed");
  call.give(!row.is_free() && end.failure >= 0 ? static_cast<std::uint64_t>(end.failure) : 0);
}

/// The compiled code looks at the first byte before it calls.
void write_guard(NativeCall& call, const api::RunOnce& once) {
  call.core.space.store(argument(call, once.object), {0, 1, 8, false}, {1, 0, 0, 0}, true);
}

/// The function runs in a frame of the machine, which ends the once flag when it has returned.
void push_once(NativeCall& call, const api::RunOnce& once, Address object) {
  call.core.frames.push_native(call.thread, NativeKind::Once);
  auto& state = call.thread.frames.back().state;
  const bool is_given = has_argument(call, once.argument);
  state[0] = object;
  state[1] = argument(call, once.entry).bits;
  state[2] = is_given ? 1 : 0;
  state[3] = is_given ? argument(call, once.argument).bits : 0;
  call.stays = true;
}

/// The kind or the count is none: the call fails, as the library does it that the model was written for.
bool is_refused(NativeCall& call, const api::SetUpObject& object) {
  const api::Argument which = object.recursive_if >= 0 ? object.recursive_if : object.value;
  if (!object.valid || !has_argument(call, which)) return false;
  const auto given = static_cast<std::int64_t>(word(call, which) & 0xffffffffU);
  if (given >= object.valid->low && given <= object.valid->high) return false;
  if (object.what == api::SetUpObject::What::Lock) call.refuse();
  const bool is_semaphore = object.what == api::SetUpObject::What::Semaphore;
  if (is_semaphore) call.set_errno(e_invalid);
  call.give(is_semaphore ? ~0ULL : e_invalid);
  return true;
}

/// Who has got a signal, or the barrier's last one, no longer needs the object.
void note_waiters(Core& core, Address object) {
  const Sync* row = core.syncs.find(object);
  for (ThreadIndex t = 0; t < core.threads.size(); ++t) {
    const Thread& thread = core.threads[t];
    if (thread.op_object != object) continue;
    const bool waits = (thread.op == OpKind::Wake && !thread.was_signalled) ||
                       (thread.op == OpKind::BarrierLeave && row != nullptr && thread.wait_count == row->generation);
    if (waits)
      core.account.add_note(Note::Kind::LockMisuse, "an object that a thread waits for is initialised or destroyed");
  }
}

}  // namespace

bool take_lock(NativeCall& call, const api::TakeLock& take) {
  switch (take.lock.kind) {
    case api::LockRef::Kind::Object: return take_object(call, take);
    case api::LockRef::Kind::Section: return call.core.sections.begin();
    case api::LockRef::Kind::Named: break;
  }
  call.refuse();
}

bool give_lock(NativeCall& call, const api::GiveLock& give) {
  Core& core = call.core;
  switch (give.lock.kind) {
    case api::LockRef::Kind::Object: {
      const Address lock = sync_address(call, give.lock.object);
      if (!core.gate.admit(OpKind::Unlock, lock)) return false;
      call.give(static_cast<std::uint64_t>(Locks(core).release(lock)));
      return true;
    }
    case api::LockRef::Kind::Section:
      if (core.gate.in_section())
        core.sections.end();
      else
        core.account.add_note(Note::Kind::LockMisuse, "the end of an atomic section that was not begun");
      return true;
    case api::LockRef::Kind::Named: break;
  }
  call.refuse();
}

bool set_up_object(NativeCall& call, const api::SetUpObject& object) {
  using What = api::SetUpObject::What;
  if (is_refused(call, object)) return true;
  note_waiters(call.core, call.core.space.address_of(argument(call, object.object)));
  switch (object.what) {
    case What::Lock: begin_lock(call, object); return true;
    case What::LockEnd: end_lock(call, object); return true;
    case What::Other:
      call.core.recorder.add(EventKind::SyncReset, sync_address(call, object.object));
      call.give(0);
      return true;
    case What::LockKind:
      call.core.space.write_word(argument(call, object.object), 4, word(call, object.value));
      call.give(0);
      return true;
    case What::ThreadKind:
      call.core.space.write_word(argument(call, object.object), 4,
                                 has_argument(call, object.value) ? word(call, object.value) : 0);
      call.give(0);
      return true;
    case What::Barrier:
      Locks(call.core).reset(sync_address(call, object.object), 0,
                             static_cast<std::uint32_t>(word(call, object.value)));
      call.give(0);
      return true;
    case What::Semaphore:
      Locks(call.core).reset(sync_address(call, object.object), static_cast<std::uint32_t>(word(call, object.value)),
                             0);
      call.give(0);
      return true;
  }
  return true;
}

bool run_once(NativeCall& call, const api::RunOnce& once) {
  using Step = api::RunOnce::Step;
  Core& core = call.core;
  Locks locks(core);
  const Address object = sync_address(call, once.object);
  switch (once.step) {
    case Step::End:
    case Step::Abort:
      if (!core.gate.admit(OpKind::OnceEnd, object)) return false;
      if (once.step == Step::End) write_guard(call, once);
      locks.end_once(object, once.step == Step::End);
      return true;
    case Step::Begin:
    case Step::Call: break;
  }
  if (!core.gate.admit(OpKind::Once, object)) return false;
  if (locks.is_done(object)) {
    core.recorder.add(EventKind::Acquire, object);
    call.give(0);
    return true;
  }
  locks.begin_once(object);
  if (once.step == Step::Begin)
    call.give(1);
  else
    push_once(call, once, object);
  return true;
}

}  // namespace heddle::interpret
