// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are what their model's effects say: synchronisation, threads, memory. False from any of these: the thread
// stops before the call, which will be made again when the step is granted.
#include "base/check.h"
#include "interpret/machine/core.h"

namespace heddle::interpret {
namespace {

using api::Effect;
using api::EffectKind;
using api::Success;

constexpr int e_perm = 1, e_again = 11, e_busy = 16, e_invalid = 22, e_deadlock = 35, e_search = 3;

/// What the call returns for an error number (0: success), as its model tells; e_busy stands for what the model calls
/// its failure.
void give_status(NativeCall& call, const Effect& effect, int status) {
  if (status == e_busy && effect.failure >= 0) status = effect.failure;
  switch (effect.success) {
    case Success::NonZero: call.give(status == 0 ? 1 : 0); return;
    case Success::NonNegative: call.give(status == 0 ? 0 : ~0ULL); return;
    default: call.give(static_cast<std::uint64_t>(status));
  }
}

bool has_argument(const NativeCall& call, int index) {
  return index >= 0 && static_cast<std::size_t>(index) < call.count();
}

const Slot& argument(const NativeCall& call, int index) { return call.slot(static_cast<std::size_t>(index)); }

bool can_take(const Sync& lock, bool is_shared) { return lock.owner == no_thread && (is_shared || lock.readers == 0); }

}  // namespace

bool Core::lock_effect(NativeCall& call, const Effect& effect) {
  const Address lock = sync_address(argument(call, effect.object));
  const bool is_shared = effect.mode == api::LockMode::Shared;
  switch (effect.kind) {
    case EffectKind::Acquire: {
      const OpKind op = effect.blocking ? (is_shared ? OpKind::LockShared : OpKind::Lock)
                                        : (is_shared ? OpKind::TryLockShared : OpKind::TryLock);
      if (effect.recursive && sync(lock).type == LockType::Normal) {
        save_sync(sync(lock));
        sync(lock).type = LockType::Recursive;
      }
      if (effect.blocking && effect.failure >= 0 && sync(lock).owner == current) {
        call.give(static_cast<std::uint64_t>(effect.failure));
        return true;
      }
      if (!admit(call.thread, op, lock)) return false;
      if (!effect.blocking && try_fails(find_sync(lock) == nullptr || can_take(*find_sync(lock), is_shared)))
        give_status(call, effect, e_busy);
      else
        give_status(call, effect, acquire_lock(call.thread, lock, is_shared, !effect.blocking));
      return true;
    }
    case EffectKind::Release:
      if (!admit(call.thread, OpKind::Unlock, lock)) return false;
      call.give(static_cast<std::uint64_t>(release_lock(call.thread, lock)));
      return true;
    case EffectKind::LockInit: {
      Sync& row = sync(lock);
      save_sync(row);
      row = {lock, LockType::Normal, no_thread, 0, 0, 0, 0};
      std::uint64_t kind = effect.recursive ? 1 : 0;
      if (has_argument(call, effect.value) && argument(call, effect.value).bits != 0)
        kind = read_word(argument(call, effect.value), 4) & 3;
      if (has_argument(call, effect.argument)) kind = argument(call, effect.argument).bits & 1;
      row.type = kind == 1 ? LockType::Recursive : kind == 2 ? LockType::ErrorCheck : LockType::Normal;
      emit(EventKind::SyncReset, lock);
      call.give(0);
      return true;
    }
    default: {  // LockDestroy
      Sync& row = sync(lock);
      emit(EventKind::SyncReset, lock);
      const bool is_held = row.owner != no_thread || row.readers != 0;
      if (is_held) add_note(Note::Kind::LockMisuse, "a lock that is held is destroyed");
      call.give(is_held && effect.failure >= 0 ? static_cast<std::uint64_t>(effect.failure) : 0);
      return true;
    }
  }
}

bool Core::wait_effect(NativeCall& call, const Effect& effect) {
  const Address object = sync_address(argument(call, effect.object));
  Thread& thread = call.thread;
  switch (effect.kind) {
    case EffectKind::Wait: {
      Slot lock_pointer = argument(call, effect.lock);
      if (effect.indirect) lock_pointer = read_pointer(lock_pointer);
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
      thread.is_timed = !effect.blocking;
      thread.timeout_status = effect.failure >= 0 ? static_cast<std::uint32_t>(effect.failure) : 0;
      thread.touches = {Touch{object, 1, true, false, true}, Touch{lock, 1, true, false, true}};
      thread.touch_count = 2;
      return false;
    }
    case EffectKind::Signal:
    case EffectKind::Broadcast: {
      const bool all = effect.kind == EffectKind::Broadcast;
      if (!admit(thread, all ? OpKind::Broadcast : OpKind::Signal, object)) return false;
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
    case EffectKind::BarrierInit: {
      if (call.word(static_cast<std::size_t>(effect.value)) == 0) {
        call.give(e_invalid);
        return true;
      }
      save_sync(sync(object));
      sync(object) = {object,    LockType::Normal,
                      no_thread, 0,
                      0,         static_cast<std::uint32_t>(call.word(static_cast<std::size_t>(effect.value))),
                      0};
      emit(EventKind::SyncReset, object);
      call.give(0);
      return true;
    }
    case EffectKind::BarrierWait: {
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
    case EffectKind::SemInit: {
      save_sync(sync(object));
      sync(object) = {object,    LockType::Normal,
                      no_thread, static_cast<std::uint32_t>(call.word(static_cast<std::size_t>(effect.value))),
                      0,         0,
                      0};
      emit(EventKind::SyncReset, object);
      call.give(0);
      return true;
    }
    case EffectKind::SemWait: {
      if (!admit(thread, effect.blocking ? OpKind::SemWait : OpKind::SemTryWait, object)) return false;
      Sync& row = sync(object);
      if (row.count == 0 || (!effect.blocking && try_fails(true))) {
        call.set_errno(effect.failure >= 0 ? effect.failure : e_again);
        call.give(~0ULL);
        return true;
      }
      save_sync(row);
      --row.count;
      emit(EventKind::Acquire, object);
      call.give(0);
      return true;
    }
    default: {  // SemPost
      if (!admit(thread, OpKind::SemPost, object)) return false;
      Sync& row = sync(object);
      save_sync(row);
      ++row.count;
      emit(EventKind::Release, object);
      call.give(0);
      return true;
    }
  }
}

/// Once flags: count 0 is new, 1 running, 2 done.
bool Core::once_effect(NativeCall& call, const Effect& effect) {
  const Address object = sync_address(argument(call, effect.object));
  Thread& thread = call.thread;
  if (effect.kind == EffectKind::OnceEnd || effect.kind == EffectKind::OnceAbort) {
    if (!admit(thread, OpKind::OnceEnd, object)) return false;
    Sync& row = sync(object);
    save_sync(row);
    row.count = effect.kind == EffectKind::OnceEnd ? 2 : 0;
    row.owner = no_thread;
    if (row.count == 2)  // the compiled code looks at the first byte before it calls
      store(argument(call, effect.object), {0, 1, 8, false}, {1, 0, 0, 0}, true);
    emit(EventKind::Release, object);
    return true;
  }
  if (!admit(thread, OpKind::Once, object)) return false;
  Sync& row = sync(object);
  if (row.count == 2) {
    emit(EventKind::Acquire, object);
    call.give(0);
    return true;
  }
  save_sync(row);
  row.count = 1;
  row.owner = current;
  emit(EventKind::Acquire, object);
  if (effect.kind == EffectKind::OnceBegin) {
    call.give(1);
    return true;
  }
  push_native(thread, NativeKind::Once);
  thread.frames.back().state[0] = object;
  thread.frames.back().state[1] = argument(call, effect.entry).bits;
  const bool is_given = has_argument(call, effect.argument);
  thread.frames.back().state[2] = is_given ? 1 : 0;
  thread.frames.back().state[3] = is_given ? argument(call, effect.argument).bits : 0;
  call.stays = true;
  return true;
}

bool Core::spawn(NativeCall& call, const Effect& effect) {
  if (!admit(call.thread, OpKind::Spawn, 0)) return false;
  Slot entry = argument(call, effect.entry);
  Slot given = has_argument(call, effect.argument) ? argument(call, effect.argument) : Slot{};
  Address after = 0;
  if (effect.entry_slot >= 0) {
    given = effect.indirect ? read_pointer(entry) : entry;
    const Slot table = read_pointer(given);
    const auto in_table = [&](int index) {
      return read_pointer({table.bits + static_cast<std::uint64_t>(index) * pointer_bytes, 0, table.object, 0});
    };
    if (effect.after_slot >= 0) after = in_table(effect.after_slot).bits;
    if (effect.indirect) write_pointer(entry, {});  // the new thread owns the object now
    entry = in_table(effect.entry_slot);
  }
  const FunctionCode& code = function_at(entry);
  if (given.object != 0) memory.mark_shared(given.object);
  ThreadIndex index = 0;
  Thread& child = add_thread(index);
  child.entry = code.id;
  child.result = given;
  child.stack_top = memory.stack_base(index);
  push_native(child, NativeKind::ThreadMain);
  child.frames.back().state[0] = entry.bits;
  child.frames.back().state[1] = after;
  emit(EventKind::Spawn, index);
  const std::uint64_t handle = index + 1;
  if (has_argument(call, effect.handle)) write_word(argument(call, effect.handle), pointer_bytes, handle);
  if (effect.handle_returned)
    call.give(handle);
  else
    call.give(0);
  return true;
}

bool Core::join(NativeCall& call, const Effect& effect) {
  const Slot& where = argument(call, effect.object);
  const std::uint64_t handle =
      effect.indirect ? read_word(where, pointer_bytes) : call.word(static_cast<std::size_t>(effect.object));
  const ThreadIndex target = thread_with(handle);
  if (target == no_thread) {
    call.give(e_search);
    return true;
  }
  if (target == current || threads[target].is_detached) {
    if (target != current) add_note(Note::Kind::LockMisuse, "join of a detached thread");
    call.give(target == current ? e_deadlock : e_invalid);
    return true;
  }
  if (!admit(call.thread, effect.blocking ? OpKind::Join : OpKind::TryJoin, target)) return false;
  if (threads[target].status != ThreadStatus::Finished) {
    give_status(call, effect, e_busy);
    return true;
  }
  if (threads[target].is_joined) undefined("a thread is joined twice");
  touch_thread(target);
  threads[target].is_joined = true;
  emit(EventKind::Join, target);
  const Slot result = threads[target].result;
  if (has_argument(call, effect.value) && argument(call, effect.value).bits != 0)
    write_pointer(argument(call, effect.value), result);
  for (const Effect& other : externals[call.callee.index()].model->effects)  // thrd_join: the result is an int
    if (other.kind == EffectKind::Write && other.length.kind == api::Length::Kind::Constant &&
        other.length.value == 4 && has_argument(call, other.object) && argument(call, other.object).bits != 0)
      write_word(argument(call, other.object), 4, result.bits);
  if (effect.indirect) write_word(where, pointer_bytes, 0);
  call.give(0);
  return true;
}

bool Core::thread_effect(NativeCall& call, const Effect& effect) {
  Thread& thread = call.thread;
  switch (effect.kind) {
    case EffectKind::Detach: {
      const std::uint64_t handle = effect.indirect ? read_word(argument(call, effect.object), pointer_bytes)
                                                   : call.word(static_cast<std::size_t>(effect.object));
      const ThreadIndex target = thread_with(handle);
      if (target != no_thread) {
        touch_thread(target);
        threads[target].is_detached = true;
      }
      if (effect.indirect) write_word(argument(call, effect.object), pointer_bytes, 0);
      call.give(target != no_thread ? 0 : e_search);
      return true;
    }
    case EffectKind::ThreadExit:
      begin_thread_exit(thread, has_argument(call, effect.value) ? argument(call, effect.value) : Slot{});
      call.stays = true;
      return true;
    case EffectKind::CurrentThread: call.give(current + 1); return true;
    case EffectKind::TlsCreate: {
      touch_shared();
      write_word(argument(call, effect.object), 4, shared.key_destructors.size());
      shared.key_destructors.push_back(has_argument(call, effect.entry) ? argument(call, effect.entry).bits : 0);
      call.give(0);
      return true;
    }
    case EffectKind::TlsGet: {
      const std::uint64_t key = call.word(static_cast<std::size_t>(effect.object)) & 0xffffffffU;
      call.give_pointer(key < thread.keys.size() ? thread.keys[key] : Slot{});
      return true;
    }
    case EffectKind::TlsSet: {
      const std::uint64_t key = call.word(static_cast<std::size_t>(effect.object)) & 0xffffffffU;
      if (key >= shared.key_destructors.size()) {
        call.give(22);
        return true;
      }
      if (thread.keys.size() <= key) thread.keys.resize(shared.key_destructors.size());
      thread.keys[key] = argument(call, effect.value);
      if (thread.keys[key].object != 0) memory.mark_shared(thread.keys[key].object);
      call.give(0);
      return true;
    }
    default: {  // AtExit
      const ExitCall exit_call{argument(call, effect.entry).bits,
                               has_argument(call, effect.argument) ? argument(call, effect.argument) : Slot{}};
      if (effect.per_thread) {
        thread.exit_calls.push_back(exit_call);
      } else {
        touch_shared();
        shared.exit_calls.push_back(exit_call);
      }
      call.give(0);
      return true;
    }
  }
}

void Core::assumption_failed() {
  if (section_depth > 0) throw SectionFailed{};
  end_run(OutcomeKind::Infeasible, "an assumption is false");
}

bool Core::effect_call(NativeCall& call, const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::Acquire:
    case EffectKind::Release:
    case EffectKind::LockInit:
    case EffectKind::LockDestroy: return lock_effect(call, effect);
    case EffectKind::SetRecursive:
      write_word(argument(call, effect.object), 4, call.word(static_cast<std::size_t>(effect.value)));
      call.give(0);
      return true;
    case EffectKind::Wait:
    case EffectKind::Signal:
    case EffectKind::Broadcast:
    case EffectKind::BarrierInit:
    case EffectKind::BarrierWait:
    case EffectKind::SemInit:
    case EffectKind::SemWait:
    case EffectKind::SemPost: return wait_effect(call, effect);
    case EffectKind::Once:
    case EffectKind::OnceBegin:
    case EffectKind::OnceEnd:
    case EffectKind::OnceAbort: return once_effect(call, effect);
    case EffectKind::Spawn: return spawn(call, effect);
    case EffectKind::Join: return join(call, effect);
    case EffectKind::Detach:
    case EffectKind::ThreadExit:
    case EffectKind::CurrentThread:
    case EffectKind::TlsCreate:
    case EffectKind::TlsGet:
    case EffectKind::TlsSet:
    case EffectKind::AtExit: return thread_effect(call, effect);
    case EffectKind::AtomicBegin: return begin_section(call.thread);
    case EffectKind::AtomicEnd:
      if (section_depth == 0) {
        add_note(Note::Kind::LockMisuse, "the end of an atomic section that was not begun");
        return true;
      }
      end_section(call.thread);
      return true;
    case EffectKind::Assume: {
      const Slot& condition = argument(call, effect.object);
      const std::uint64_t truth = condition.undef == 0 ? condition.bits : uninitialised_branch(1);
      if (truth == 0) assumption_failed();
      return true;
    }
    case EffectKind::NoReturn: end_run(OutcomeKind::AssertionFailed, name_of(call.callee));
    case EffectKind::Allocate:
    case EffectKind::Reallocate:
    case EffectKind::Free: return heap_effect(call, effect);
    case EffectKind::AtomicRead:
    case EffectKind::AtomicWrite:
    case EffectKind::AtomicUpdate: return atomic_effect(call, effect);
    case EffectKind::Returns: call.give_pointer(argument(call, effect.object)); return true;
    case EffectKind::ReturnsHidden: call.give_pointer(library_key(externals[call.callee.index()].key)); return true;
    case EffectKind::InvokeGlobal: {
      const GlobalId global = program.find_global(effect.note);
      if (!global.valid()) unsupported("global " + effect.note);
      const bool is_local = program.globals[global].is_thread_local;
      const ObjectId id = is_local ? thread_local_object(current, global) : placement.global_object[global.index()];
      call.stays = true;
      enter(call.thread, read_pointer(pointer_to(id)).bits, nullptr, 0);
      return true;
    }
    default: unsupported("function " + name_of(call.callee));
  }
}

}  // namespace heddle::interpret
