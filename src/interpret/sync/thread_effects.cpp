// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads: starting, joining, values of their own, functions to run at the end.
#include "interpret/sync/effects.h"

namespace heddle::interpret {

namespace {

bool is_created_detached(NativeCall& call, const api::StartThread& start) {
  if (!has_argument(call, start.attributes) || argument(call, start.attributes).bits == 0) return false;
  return call.core.space.read_word(argument(call, start.attributes), 4) != 0;
}

}  // namespace

bool start_thread(NativeCall& call, const api::StartThread& start) {
  Core& core = call.core;
  if (!core.gate.admit(OpKind::Spawn, 0)) return false;
  Slot entry = argument(call, start.entry);
  Slot given = has_argument(call, start.argument) ? argument(call, start.argument) : Slot{};
  Address after = 0;
  if (start.entry_slot >= 0) {
    given = start.indirect ? core.space.read_pointer(entry) : entry;
    const Slot table = core.space.read_pointer(given);
    const auto in_table = [&](int index) {
      return core.space.read_pointer(
          {table.bits + static_cast<std::uint64_t>(index) * core.image.pointer_bytes, 0, table.object, 0});
    };
    if (start.after_slot >= 0) after = in_table(start.after_slot).bits;
    if (start.indirect) core.space.write_pointer(entry, {});  // the new thread owns the object now
    entry = in_table(start.entry_slot);
  }
  const FunctionCode& code = core.frames.function_at(entry);
  const std::uint64_t group =
      start.several ? core.space.read_word(argument(call, start.handle), core.image.pointer_bytes) : 0;
  if (given.object != 0) core.memory.mark_shared(given.object);
  const std::optional<ThreadIndex> index = core.threads.add();
  if (!index) core.account.cap_reached("threads");
  Thread& child = core.threads[*index];
  child.entry = code.id;
  child.result = given;
  child.argument = given.bits;
  child.is_detached = is_created_detached(call, start);
  child.stack_top = core.memory.stack_base(*index);
  core.frames.push_native(child, NativeKind::ThreadMain);
  child.frames.back().state[0] = entry.bits;
  child.frames.back().state[1] = after;
  core.recorder.add(EventKind::Spawn, *index);
  if (start.several) child.group = group == 0 ? *index : core.threads.with_handle(group);
  const std::uint64_t handle = group == 0 ? Threads::handle_of(*index) : group;
  if (has_argument(call, start.handle))
    core.space.write_word(argument(call, start.handle), core.image.pointer_bytes, handle);
  call.give(start.handle_returned ? handle : 0);
  if (start.handle_returned) call.result.doubt = doubt::address;
  return true;
}

namespace {

/// The thread that a handle, or memory that holds one, stands for.
ThreadIndex target_of(NativeCall& call, const api::LeaveThread& leave) {
  Core& core = call.core;
  return core.threads.with_handle(leave.indirect ? core.space.read_handle(argument(call, leave.handle))
                                                 : argument(call, leave.handle).bits);
}

/// The call fails with this error number; one on a std::thread throws std::system_error instead.
bool fail(NativeCall& call, const api::LeaveThread& leave, int error) {
  call.give(static_cast<std::uint64_t>(error));
  if (!leave.indirect) return true;
  call.core.frames.push_native(call.thread, NativeKind::Throw);
  call.stays = true;
  return true;
}

void clear_handle(NativeCall& call, const api::LeaveThread& leave) {
  if (leave.indirect) call.core.space.write_word(argument(call, leave.handle), call.core.image.pointer_bytes, 0);
}

/// thrd_join: the result is an int, and the model says where it is written.
void write_int_result(NativeCall& call, const Slot& result) {
  for (const api::Effect& other : call.core.image.externals[call.callee.index()].model->effects) {
    const auto touch = api::get<api::Touch>(other);
    if (touch && touch->mode == api::Touch::Mode::Write && touch->extent == api::Touch::Extent::Object &&
        touch->length == api::Length{.kind = api::Length::Kind::Constant, .value = 4} &&
        has_argument(call, touch->object) && argument(call, touch->object).bits != 0) {
      call.core.account.look_at_unknown(result.undef);
      call.core.space.write_word(argument(call, touch->object), 4, result.bits);
    }
  }
}

/// One after the other; when it stops before one of them, those before it are joined already.
bool join_group(NativeCall& call, ThreadIndex group) {
  Core& core = call.core;
  for (ThreadIndex each = 0; each < core.threads.size() && group != no_thread; ++each) {
    if (core.threads[each].group != group || core.threads[each].is_joined) continue;
    if (!core.gate.admit(OpKind::Join, each)) return false;
    core.threads.save(each);
    core.threads[each].is_joined = true;
    core.recorder.add(EventKind::Join, each);
  }
  call.give(0);
  return true;
}

bool join(NativeCall& call, const api::LeaveThread& join) {
  Core& core = call.core;
  if (join.several) return join_group(call, target_of(call, join));
  const ThreadIndex target = target_of(call, join);
  if (target == no_thread) return fail(call, join, e_search);
  if (target == core.threads.current()) return fail(call, join, e_deadlock);
  if (!core.gate.admit(join.outcome.blocking ? OpKind::Join : OpKind::TryJoin, target)) return false;
  if (core.threads[target].is_detached) {
    core.account.add_note(Note::Kind::LockMisuse, "join of a detached thread");
    return fail(call, join, e_invalid);
  }
  // A thread ends in one step with the last that it does: others may see it alive in between.
  if (core.threads[target].status != ThreadStatus::Finished || (!join.outcome.blocking && core.choices.try_fails())) {
    give_status(call, join.outcome, e_busy);
    return true;
  }
  if (core.threads[target].is_joined) core.account.undefined("a thread is joined twice");
  core.threads.save(target);
  core.threads[target].is_joined = true;
  core.recorder.add(EventKind::Join, target);
  const Slot result = core.threads[target].result;
  if (has_argument(call, join.result) && argument(call, join.result).bits != 0)
    core.space.write_pointer(argument(call, join.result), result);
  write_int_result(call, result);
  clear_handle(call, join);
  call.give(0);
  return true;
}

bool detach(NativeCall& call, const api::LeaveThread& leave) {
  Core& core = call.core;
  const ThreadIndex target = target_of(call, leave);
  if (target == no_thread) return fail(call, leave, e_search);
  if (!core.gate.admit(OpKind::Detach, target)) return false;
  if (core.threads[target].is_detached) return fail(call, leave, e_invalid);
  core.threads.save(target);
  core.threads[target].is_detached = true;
  clear_handle(call, leave);
  call.give(0);
  return true;
}

}  // namespace

bool leave_thread(NativeCall& call, const api::LeaveThread& leave) {
  switch (leave.how) {
    case api::LeaveThread::How::Join: return join(call, leave);
    case api::LeaveThread::How::Detach: return detach(call, leave);
  }
  return true;
}

/// PTHREAD_KEYS_MAX. Which of them the libraries have for themselves is not known.
constexpr std::size_t most_keys = 1000;

bool use_thread_value(NativeCall& call, const api::UseThreadValue& use) {
  Core& core = call.core;
  Thread& thread = call.thread;
  switch (use.step) {
    case api::UseThreadValue::Step::Create:
      if (core.library.now().key_destructors.size() >= most_keys) call.refuse();
      core.space.write_word(argument(call, use.key), 4, core.library.now().key_destructors.size());
      core.library.change().key_destructors.push_back(
          has_argument(call, use.destructor) ? argument(call, use.destructor).bits : 0);
      call.give(0);
      return true;
    case api::UseThreadValue::Step::Get: {
      const std::uint64_t key = word(call, use.key) & 0xffffffffU;
      call.give_pointer(key < thread.keys.size() ? thread.keys[key] : Slot{});
      return true;
    }
    case api::UseThreadValue::Step::Set: {
      const std::uint64_t key = word(call, use.key) & 0xffffffffU;
      if (key >= core.library.now().key_destructors.size()) {
        call.give(e_invalid);
        return true;
      }
      if (thread.keys.size() <= key) thread.keys.resize(core.library.now().key_destructors.size());
      thread.keys[key] = argument(call, use.value);
      if (thread.keys[key].object != 0) core.memory.mark_shared(thread.keys[key].object);
      call.give(0);
      return true;
    }
  }
  return true;
}

bool run_later(NativeCall& call, const api::RunLater& later) {
  Core& core = call.core;
  const ExitCall exit_call{argument(call, later.entry).bits,
                           has_argument(call, later.argument) ? argument(call, later.argument) : Slot{}};
  switch (later.when) {
    case api::RunLater::When::ExceptionEnd:  // natives of the C++ runtime do that
    case api::RunLater::When::Outside: call.refuse();
    case api::RunLater::When::Terminate: {
      const Address before = core.library.now().terminate_handler;
      core.library.change().terminate_handler = exit_call.function;
      // Which function the library has before the program gives it one is its own affair.
      call.give_pointer(before != 0 ? core.space.pointer_at(before) : Slot{0, ~0ULL, 0, 0});
      return true;
    }
    case api::RunLater::When::ThreadEnd: call.thread.exit_calls.push_back(exit_call); break;
    case api::RunLater::When::ProgramEnd: core.library.change().exit_calls.push_back(exit_call); break;
  }
  call.give(0);
  return true;
}

void begin_thread_exit(Core& core, Thread& thread, const Slot& result) {
  thread.result = result;
  core.frames.pop_all(thread);
  core.frames.push_native(thread, NativeKind::ThreadExit);
}

}  // namespace heddle::interpret
