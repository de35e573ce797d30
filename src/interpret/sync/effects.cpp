// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are what their model's actions say. Waiting is in wait_effects.cpp, threads are in thread_effects.cpp,
// memory in effects_memory.cpp. False from any of these: the thread stops before the call, which will be made again
// when the step is granted.
#include "interpret/sync/effect_call.h"

namespace heddle::interpret {
namespace {

bool can_take(const Sync& lock, bool is_shared) { return lock.owner == no_thread && (is_shared || lock.readers == 0); }

}  // namespace

bool Core::take_lock(NativeCall& call, const api::TakeLock& take) {
  switch (take.lock.kind) {
    case api::LockRef::Kind::Object: break;
    case api::LockRef::Kind::Section: return begin_section(call.thread);
    case api::LockRef::Kind::Named: unsupported("function " + name_of(call.callee));
  }
  const Address lock = sync_address(argument(call, take.lock.object));
  const bool is_shared = take.mode == api::LockMode::Shared;
  const bool blocking = take.outcome.blocking;
  const OpKind op = blocking ? (is_shared ? OpKind::LockShared : OpKind::Lock)
                             : (is_shared ? OpKind::TryLockShared : OpKind::TryLock);
  if (take.recursive && sync(lock).type == LockType::Normal) {
    save_sync(sync(lock));
    sync(lock).type = LockType::Recursive;
  }
  if (blocking && take.outcome.failure >= 0 && sync(lock).owner == current) {
    call.give(static_cast<std::uint64_t>(take.outcome.failure));
    return true;
  }
  if (!admit(call.thread, op, lock)) return false;
  if (!blocking && try_fails(find_sync(lock) == nullptr || can_take(*find_sync(lock), is_shared)))
    give_status(call, take.outcome, e_busy);
  else
    give_status(call, take.outcome, acquire_lock(call.thread, lock, is_shared, !blocking));
  return true;
}

bool Core::give_lock(NativeCall& call, const api::GiveLock& give) {
  switch (give.lock.kind) {
    case api::LockRef::Kind::Object: {
      const Address lock = sync_address(argument(call, give.lock.object));
      if (!admit(call.thread, OpKind::Unlock, lock)) return false;
      call.give(static_cast<std::uint64_t>(release_lock(call.thread, lock)));
      return true;
    }
    case api::LockRef::Kind::Section:
      if (section_depth == 0)
        add_note(Note::Kind::LockMisuse, "the end of an atomic section that was not begun");
      else
        end_section(call.thread);
      return true;
    case api::LockRef::Kind::Named: break;
  }
  unsupported("function " + name_of(call.callee));
}

/// Forgets what the object was: it has no owner, nobody waits, and its count and limit are these.
void Core::reset_sync(Address object, std::uint32_t count, std::uint32_t limit) {
  Sync& row = sync(object);
  save_sync(row);
  row = {object, LockType::Normal, no_thread, count, 0, limit, 0};
  emit(EventKind::SyncReset, object);
}

bool Core::set_up(NativeCall& call, const api::SetUpObject& object) {
  using What = api::SetUpObject::What;
  switch (object.what) {
    case What::Lock: begin_lock(call, object); return true;
    case What::LockEnd: end_lock(call, object); return true;
    case What::LockKind:
      write_word(argument(call, object.object), 4, word(call, object.value));
      call.give(0);
      return true;
    case What::Barrier:
      if (word(call, object.value) == 0) {
        call.give(e_invalid);
        return true;
      }
      reset_sync(sync_address(argument(call, object.object)), 0, static_cast<std::uint32_t>(word(call, object.value)));
      call.give(0);
      return true;
    case What::Semaphore:
      reset_sync(sync_address(argument(call, object.object)), static_cast<std::uint32_t>(word(call, object.value)), 0);
      call.give(0);
      return true;
  }
  return true;
}

void Core::begin_lock(NativeCall& call, const api::SetUpObject& begin) {
  const Address lock = sync_address(argument(call, begin.object));
  std::uint64_t kind = begin.recursive ? 1 : 0;
  if (has_argument(call, begin.value) && argument(call, begin.value).bits != 0)
    kind = read_word(argument(call, begin.value), 4) & 3;
  if (has_argument(call, begin.recursive_if)) kind = argument(call, begin.recursive_if).bits & 1;
  reset_sync(lock, 0, 0);
  sync(lock).type = kind == 1 ? LockType::Recursive : kind == 2 ? LockType::ErrorCheck : LockType::Normal;
  call.give(0);
}

void Core::end_lock(NativeCall& call, const api::SetUpObject& end) {
  const Address lock = sync_address(argument(call, end.object));
  const Sync& row = sync(lock);
  emit(EventKind::SyncReset, lock);
  const bool is_held = row.owner != no_thread || row.readers != 0;
  if (is_held) add_note(Note::Kind::LockMisuse, "a lock that is held is destroyed");
  call.give(is_held && end.failure >= 0 ? static_cast<std::uint64_t>(end.failure) : 0);
}

/// Once flags: count 0 is new, 1 running, 2 done.
void Core::end_once(NativeCall& call, const api::RunOnce& once, Address object, bool is_done) {
  Sync& row = sync(object);
  save_sync(row);
  row.count = is_done ? 2 : 0;
  row.owner = no_thread;
  if (is_done)  // the compiled code looks at the first byte before it calls
    store(argument(call, once.object), {0, 1, 8, false}, {1, 0, 0, 0}, true);
  emit(EventKind::Release, object);
}

bool Core::run_once(NativeCall& call, const api::RunOnce& once) {
  using Step = api::RunOnce::Step;
  const Address object = sync_address(argument(call, once.object));
  Thread& thread = call.thread;
  switch (once.step) {
    case Step::End:
    case Step::Abort:
      if (!admit(thread, OpKind::OnceEnd, object)) return false;
      end_once(call, once, object, once.step == Step::End);
      return true;
    case Step::Begin:
    case Step::Call: break;
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
  if (once.step == Step::Begin) {
    call.give(1);
    return true;
  }
  push_native(thread, NativeKind::Once);
  thread.frames.back().state[0] = object;
  thread.frames.back().state[1] = argument(call, once.entry).bits;
  const bool is_given = has_argument(call, once.argument);
  thread.frames.back().state[2] = is_given ? 1 : 0;
  thread.frames.back().state[3] = is_given ? argument(call, once.argument).bits : 0;
  call.stays = true;
  return true;
}

void Core::assumption_failed() {
  if (section_depth > 0) throw SectionFailed{};
  end_run(OutcomeKind::Infeasible, "an assumption is false");
}

bool Core::end_here(NativeCall& call, const api::End& end) {
  switch (end.of) {
    case api::End::Of::Thread:
      begin_thread_exit(call.thread, has_argument(call, end.value) ? argument(call, end.value) : Slot{});
      call.stays = true;
      return true;
    case api::End::Of::Program:
    case api::End::Of::Exit: end_run(OutcomeKind::AssertionFailed, name_of(call.callee));
    case api::End::Of::Frame: break;
  }
  unsupported("function " + name_of(call.callee));
}

bool Core::return_value(NativeCall& call, const api::ReturnValue& value) {
  switch (value.what) {
    case api::ReturnValue::What::Argument: call.give_pointer(argument(call, value.object)); return true;
    case api::ReturnValue::What::Hidden:
      call.give_pointer(library_key(externals[call.callee.index()].key));
      return true;
    case api::ReturnValue::What::ThisThread: call.give(current + 1); return true;
    case api::ReturnValue::What::Into:
    case api::ReturnValue::What::Reachable:
    case api::ReturnValue::What::Anything: break;
  }
  unsupported("function " + name_of(call.callee));
}

bool Core::call_back(NativeCall& call, const api::CallBack& back) {
  if (back.global.empty()) unsupported("function " + name_of(call.callee));
  const GlobalId global = program.find_global(back.global);
  if (!global.valid()) unsupported("global " + std::string(back.global));
  const bool is_local = program.globals[global].is_thread_local;
  const ObjectId id = is_local ? thread_local_object(current, global) : placement.global_object[global.index()];
  call.stays = true;
  enter(call.thread, read_pointer(pointer_to(id)).bits, nullptr, 0);
  return true;
}

bool Core::effect_call(NativeCall& call, const api::Action& action) {
  const auto refuse = [&]() -> bool { unsupported("function " + name_of(call.callee)); };
  return api::treat(
      action, [&](const api::TakeLock& take) { return take_lock(call, take); },
      [&](const api::GiveLock& give) { return give_lock(call, give); },
      [&](const api::SetUpObject& object) { return set_up(call, object); },
      [&](const api::StartThread& start) { return spawn(call, start); },
      [&](const api::RunLater& later) { return run_later(call, later); },
      [&](const api::LeaveThread& leave) { return leave_thread(call, leave); },
      [&](const api::UseCondition& use) { return use_condition(call, use); },
      [&](const api::WaitAtBarrier& wait) { return wait_at_barrier(call, wait); },
      [&](const api::UseSemaphore& use) { return use_semaphore(call, use); },
      [&](const api::RunOnce& once) { return run_once(call, once); },
      [&](const api::UseThreadValue& use) { return use_thread_value(call, use); },
      [&](const api::MakeMemory& make) { return make_memory(call, make); },
      [&](const api::Touch& touch) {
        if (touch.mode != api::Touch::Mode::Free) return refuse();
        free_heap(argument(call, touch.object));
        return true;
      },
      [&](const api::TouchAtomic& touch) { return touch_atomic(call, touch); },
      [&](const api::MovePointers&) { return refuse(); },  // of library functions with native code
      [&](const api::ReturnValue& value) { return return_value(call, value); },
      [&](const api::CallBack& back) { return call_back(call, back); },
      [&](const api::End& end) { return end_here(call, end); },
      [&](const api::Assume& assume) {
        const Slot& condition = argument(call, assume.object);
        const std::uint64_t truth = condition.undef == 0 ? condition.bits : uninitialised_branch(1);
        if (truth == 0) assumption_failed();
        return true;
      },
      [&](const api::MaskEntries&) { return refuse(); }, [&](const api::DoUnsupported&) { return refuse(); });
}

}  // namespace heddle::interpret
