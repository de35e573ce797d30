// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: starting, joining, values of their own, functions to run at the end.
#include "interpret/sync/effect_call.h"

namespace heddle::interpret {

bool Core::spawn(NativeCall& call, const api::StartThread& start) {
  if (!admit(call.thread, OpKind::Spawn, 0)) return false;
  Slot entry = argument(call, start.entry);
  Slot given = has_argument(call, start.argument) ? argument(call, start.argument) : Slot{};
  Address after = 0;
  if (start.entry_slot >= 0) {
    given = start.indirect ? read_pointer(entry) : entry;
    const Slot table = read_pointer(given);
    const auto in_table = [&](int index) {
      return read_pointer({table.bits + static_cast<std::uint64_t>(index) * pointer_bytes, 0, table.object, 0});
    };
    if (start.after_slot >= 0) after = in_table(start.after_slot).bits;
    if (start.indirect) write_pointer(entry, {});  // the new thread owns the object now
    entry = in_table(start.entry_slot);
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
  if (has_argument(call, start.handle)) write_word(argument(call, start.handle), pointer_bytes, handle);
  if (start.handle_returned)
    call.give(handle);
  else
    call.give(0);
  return true;
}

bool Core::join(NativeCall& call, const api::LeaveThread& join) {
  const Slot& where = argument(call, join.handle);
  const std::uint64_t handle = join.indirect ? read_word(where, pointer_bytes) : word(call, join.handle);
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
  if (!admit(call.thread, join.outcome.blocking ? OpKind::Join : OpKind::TryJoin, target)) return false;
  if (threads[target].status != ThreadStatus::Finished) {
    give_status(call, join.outcome, e_busy);
    return true;
  }
  if (threads[target].is_joined) undefined("a thread is joined twice");
  touch_thread(target);
  threads[target].is_joined = true;
  emit(EventKind::Join, target);
  const Slot result = threads[target].result;
  if (has_argument(call, join.result) && argument(call, join.result).bits != 0)
    write_pointer(argument(call, join.result), result);
  for (const api::Effect& other : externals[call.callee.index()].model->effects) {  // thrd_join: the result is an int
    const auto touch = api::get<api::Touch>(other);
    if (touch && touch->mode == api::Touch::Mode::Write && touch->extent == api::Touch::Extent::Object &&
        touch->length == api::Length{api::Length::Kind::Constant, 4, 0} && has_argument(call, touch->object) &&
        argument(call, touch->object).bits != 0)
      write_word(argument(call, touch->object), 4, result.bits);
  }
  if (join.indirect) write_word(where, pointer_bytes, 0);
  call.give(0);
  return true;
}

bool Core::leave_thread(NativeCall& call, const api::LeaveThread& leave) {
  switch (leave.how) {
    case api::LeaveThread::How::Join: return join(call, leave);
    case api::LeaveThread::How::Detach: detach(call, leave); return true;
  }
  return true;
}

void Core::detach(NativeCall& call, const api::LeaveThread& leave) {
  const std::uint64_t handle =
      leave.indirect ? read_word(argument(call, leave.handle), pointer_bytes) : word(call, leave.handle);
  const ThreadIndex target = thread_with(handle);
  if (target != no_thread) {
    touch_thread(target);
    threads[target].is_detached = true;
  }
  if (leave.indirect) write_word(argument(call, leave.handle), pointer_bytes, 0);
  call.give(target != no_thread ? 0 : e_search);
}

bool Core::use_thread_value(NativeCall& call, const api::UseThreadValue& use) {
  Thread& thread = call.thread;
  switch (use.step) {
    case api::UseThreadValue::Step::Create:
      touch_shared();
      write_word(argument(call, use.key), 4, shared.key_destructors.size());
      shared.key_destructors.push_back(has_argument(call, use.destructor) ? argument(call, use.destructor).bits : 0);
      call.give(0);
      return true;
    case api::UseThreadValue::Step::Get: {
      const std::uint64_t key = word(call, use.key) & 0xffffffffU;
      call.give_pointer(key < thread.keys.size() ? thread.keys[key] : Slot{});
      return true;
    }
    case api::UseThreadValue::Step::Set: {
      const std::uint64_t key = word(call, use.key) & 0xffffffffU;
      if (key >= shared.key_destructors.size()) {
        call.give(e_invalid);
        return true;
      }
      if (thread.keys.size() <= key) thread.keys.resize(shared.key_destructors.size());
      thread.keys[key] = argument(call, use.value);
      if (thread.keys[key].object != 0) memory.mark_shared(thread.keys[key].object);
      call.give(0);
      return true;
    }
  }
  return true;
}

bool Core::run_later(NativeCall& call, const api::RunLater& later) {
  const ExitCall exit_call{argument(call, later.entry).bits,
                           has_argument(call, later.argument) ? argument(call, later.argument) : Slot{}};
  switch (later.when) {
    case api::RunLater::When::Outside: unsupported("function " + name_of(call.callee));
    case api::RunLater::When::ThreadEnd: call.thread.exit_calls.push_back(exit_call); break;
    case api::RunLater::When::ProgramEnd:
      touch_shared();
      shared.exit_calls.push_back(exit_call);
      break;
  }
  call.give(0);
  return true;
}

}  // namespace heddle::interpret
