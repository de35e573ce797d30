// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/library_actions.h"

#include <algorithm>

namespace heddle::scan {
namespace {

/// The result with which something was done; `Always` if it is not for the result to say.
ResultSign sign_of(api::Success success) {
  switch (success) {
    case api::Success::Always: return ResultSign::Always;
    case api::Success::Zero: return ResultSign::Zero;
    case api::Success::NonZero: return ResultSign::NonZero;
    case api::Success::NonNegative:
    case api::Success::NotMinusOne: return ResultSign::NonNegative;
  }
  return ResultSign::Always;
}

ResultSign sign_of(const api::CallOutcome& outcome) {
  return outcome.blocking ? ResultSign::Always : sign_of(outcome.success);
}

}  // namespace

void LibraryActions::apply(FunctionId callee, std::span<const Operand> arguments, bool is_sure) {
  const api::Model& model = *s_.in.models[callee.index()];
  const LibraryCall call{arguments};
  callee_ = callee;
  is_sure_ = is_sure;
  if (!model.keeps_errno) memory_.change_errno();
  for (const api::Effect& effect : model.effects) apply(call, api::action_of(effect));
}

void LibraryActions::apply(const LibraryCall& call, const api::Action& action) {
  memory_.use_objects(call, action);
  api::treat(
      action, [&](const api::TakeLock& take) { take_lock(call, take); },
      [&](const api::GiveLock& give) {
        lock_event(SymbolicEvent::Kind::Release, lock_of(call, give.lock), ResultSign::Always, false);
      },
      [&](const api::SetUpObject& object) { set_up(call, object); },
      [&](const api::StartThread& start) { start_thread(call, start); },
      // Who runs it, and when, is found with the threads: scan/reach/late_calls.h.
      [&](const api::RunLater& later) { memory_.give_away(call, later.argument); },
      [&](const api::LeaveThread& leave) { leave_thread(call, leave); },
      [&](const api::UseSemaphore& use) { use_semaphore(call, use); },
      [&](const api::RunOnce& once) { run_once(call, once); },
      [&](const api::UseThreadValue& use) { memory_.use_thread_value(call, use); },
      [&](const api::MakeMemory& make) { memory_.make(call, make); },
      [&](const api::Touch& touch) { memory_.touch(call, touch); },
      [&](const api::TouchAtomic& touch) { memory_.touch_atomic(call, touch); },
      [&](const api::MovePointers& move) { memory_.move_pointers(call, move); },
      [&](const api::ReturnValue& value) { memory_.return_value(call, value); },
      [&](const api::CallBack& back) {
        call_back(call, {back.argument, back.value});
        s_.names.set(s_.done.at.instruction, {});
      },
      [&](const api::End& end) { end_here(end); }, [&](const api::UseCondition& use) { use_condition(call, use); },
      // Orders threads, or says what cannot be: neither takes an access away here.
      api::Nothing<api::WaitAtBarrier, api::Assume>{},
      // Counted: assumed_calls.h.
      api::Nothing<api::MaskEntries, api::DoUnsupported>{});
}

void LibraryActions::lock_event(SymbolicEvent::Kind kind, Lvalue lock, ResultSign sign, bool is_shared) {
  if (!lock.valid() || (kind == SymbolicEvent::Kind::Acquire && !is_sure_)) return;
  // Each thread has its own: it excludes nobody.
  const Node& root = s_.nodes[s_.nodes.root(lock.node)];
  if (root.kind == NodeKind::Global && lock.node == s_.nodes.root(lock.node) &&
      s_.in.program.globals[GlobalId(root.index)].is_thread_local)
    return;
  s_.done.has_lock_events = true;
  SymbolicEvent& event = s_.done.add(kind);
  event.is_shared = is_shared;
  event.sign = sign;
  event.where = lock;
}

Lvalue LibraryActions::lock_of(const LibraryCall& call, const api::LockRef& lock) {
  switch (lock.kind) {
    case api::LockRef::Kind::Object: return memory_.place_of(call, lock.object);
    case api::LockRef::Kind::Named: return memory_.hidden(lock.name);
    case api::LockRef::Kind::Section: return memory_.hidden("atomic section");
  }
  return {};
}

void LibraryActions::take_lock(const LibraryCall& call, const api::TakeLock& take) {
  const ResultSign sign = sign_of(take.outcome);
  lock_event(SymbolicEvent::Kind::Acquire, lock_of(call, take.lock), sign, take.mode == api::LockMode::Shared);
}

/// The lock is held afterwards as before; only histories see that it was given back.
void LibraryActions::use_condition(const LibraryCall& call, const api::UseCondition& use) {
  if (use.step != api::UseCondition::Step::Wait || !call.has(use.lock)) return;
  Lvalue lock = memory_.place_of(call, use.lock);
  if (use.indirect && lock.valid()) {
    const SymbolicValue held = s_.stores.load(lock, {});
    lock = held.is_address() ? held.address : Lvalue{};
  }
  s_.done.has_history_events = true;
  s_.done.add(SymbolicEvent::Kind::Wait).where = lock;
}

void LibraryActions::use_semaphore(const LibraryCall& call, const api::UseSemaphore& use) {
  if (!s_.in.semaphores.contains(s_.body.id, s_.done.at.instruction)) return;
  const Lvalue semaphore = memory_.place_of(call, use.object);
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      const ResultSign sign = sign_of(use.outcome);
      return lock_event(SymbolicEvent::Kind::Acquire, semaphore, sign, false);
    }
    case api::UseSemaphore::Step::Post:
      return lock_event(SymbolicEvent::Kind::Release, semaphore, ResultSign::Always, false);
  }
}

void LibraryActions::set_up(const LibraryCall& call, const api::SetUpObject& object) {
  switch (object.what) {
    case api::SetUpObject::What::LockKind:
    case api::SetUpObject::What::ThreadKind: return memory_.access(call, object.object, AccessKind::Write, 4);
    case api::SetUpObject::What::Lock:
    case api::SetUpObject::What::LockEnd:
    case api::SetUpObject::What::Barrier:
    case api::SetUpObject::What::Semaphore:
    case api::SetUpObject::What::Other: return;
  }
}

/// While the body runs, its object is held; what comes behind is not known to be behind it.
void LibraryActions::run_once(const LibraryCall& call, const api::RunOnce& once) {
  const Lvalue object = memory_.place_of(call, once.object);
  switch (once.step) {
    case api::RunOnce::Step::Call:
      lock_event(SymbolicEvent::Kind::Acquire, object, ResultSign::Always, false);
      call_back(call, {once.argument});
      lock_event(SymbolicEvent::Kind::Release, object, ResultSign::Always, false);
      return s_.names.set(s_.done.at.instruction, {});
    case api::RunOnce::Step::Begin:
      return lock_event(SymbolicEvent::Kind::Acquire, object, sign_of(once.success), false);
    case api::RunOnce::Step::End:
    case api::RunOnce::Step::Abort: return lock_event(SymbolicEvent::Kind::Release, object, ResultSign::Always, false);
  }
}

/// The functions that the library calls before it returns, with these arguments of the call.
void LibraryActions::call_back(const LibraryCall& call, std::initializer_list<api::Argument> arguments) {
  std::vector<Operand>& given = s_.done.callback_arguments.emplace_front();
  for (const api::Argument index : arguments)
    if (call.has(index)) given.push_back(call[index]);
  for (const FunctionId target : s_.in.targets.of(s_.body.id, s_.done.at.instruction)) {
    if (!s_.in.program.functions[target].has_body()) continue;
    calls_.call(target, given, false);
    s_.done.calls.back().keeps_history = false;  // it may not be called at all
  }
}

/// Nothing behind the call can touch what it gives away. Who runs at the end is found with the threads, which asks for
/// those that run beside the call.
void LibraryActions::end_here(const api::End& end) {
  if (end.of == api::End::Of::Program || !is_sure_) return;
  if (end.of == api::End::Of::Thread || end.of == api::End::Of::Frame) s_.end_locals();
  if (!s_.in.program.functions[callee_].has_body()) calls_.call(callee_, {}, false);
}

void LibraryActions::leave_thread(const LibraryCall& call, const api::LeaveThread& leave) {
  memory_.access(call, leave.result, AccessKind::Write, s_.in.word_bytes());
  const api::Argument object = leave.indirect ? leave.handle : api::Effect::none;
  memory_.access(call, object, AccessKind::Read, s_.in.word_bytes());
  const bool is_join = leave.how == api::LeaveThread::How::Join;
  if (is_join && (!leave.outcome.blocking || !is_sure_)) return;  // it may still run
  s_.done.has_thread_events = true;
  const Lvalue handle = handle_of(call, leave);
  s_.done.add(is_join ? SymbolicEvent::Kind::Join : SymbolicEvent::Kind::Detach).where = handle;
  memory_.access(call, object, AccessKind::Write, s_.in.word_bytes());
}

/// The memory a handle given by value was read from.
Lvalue LibraryActions::handle_of(const LibraryCall& call, const api::LeaveThread& leave) {
  if (!call.has(leave.handle)) return {};
  return leave.indirect ? s_.names.lvalue_of(call[leave.handle]) : s_.done.threads.memory_of(call[leave.handle]);
}

/// The functions in the slots of a C++ object's virtual table, as far as the object's first word is known.
std::vector<FunctionId> LibraryActions::table_entries(Lvalue object, int slot) {
  std::vector<FunctionId> out;
  const SymbolicValue table = s_.stores.load(object, {});
  if (!table.is_address() || s_.nodes[table.address.node].kind != NodeKind::Global) return out;
  const Global& global = s_.in.program.globals[GlobalId(s_.nodes[table.address.node].index)];
  const std::int64_t word = s_.in.program.layout.pointer_bits / 8;
  for (const Relocation& r : global.relocations)
    if (static_cast<std::int64_t>(r.offset) == table.address.offset + slot * word && r.target.is_function())
      out.push_back(r.target.as_function());
  return out;
}

void LibraryActions::start_thread(const LibraryCall& call, const api::StartThread& start) {
  if (!call.has(start.entry)) return;
  s_.done.may_spawn = true;
  memory_.access(call, start.handle, AccessKind::Write, s_.in.word_bytes());
  const Operand entry = call[start.entry];
  std::vector<FunctionId> known;
  SymbolicValue argument;
  if (start.entry_slot >= 0) {
    Lvalue object = s_.names.lvalue_of(entry);
    if (object.valid() && start.indirect)
      if (const SymbolicValue held = s_.stores.load(object, {}); held.is_address()) object = held.address;
    if (object.valid()) {
      argument = SymbolicValue::at(object);
      known = table_entries(object, start.entry_slot);
    }
  } else if (call.has(start.argument)) {
    argument = s_.names.value_of(call[start.argument]);
  }
  if (argument.is_address()) s_.done.publication.publish(argument.address.node, Audience::Everybody);
  Lvalue handle;
  if (call.has(start.handle)) handle = s_.names.lvalue_of(call[start.handle]);
  const SymbolicValue value = start.entry_slot >= 0 ? SymbolicValue{} : s_.names.value_of(entry);
  if (value.is_code() || (value.is_address() && s_.nodes[value.address.node].from_formal))
    return calls_.spawn(value, argument, handle, start.several);
  if (known.empty()) {
    const auto targets = s_.in.targets.of(s_.body.id, s_.done.at.instruction);
    known.assign(targets.begin(), targets.end());
  }
  for (const FunctionId target : known) calls_.spawn(SymbolicValue::function(target), argument, handle, start.several);
  if (known.empty()) {
    s_.done.spawns.push_back({.instruction = s_.done.at.instruction});
    s_.done.add(SymbolicEvent::Kind::Spawn).thread = s_.done.threads.add({}, handle, s_.done.at.rank, false);
  }
}

}  // namespace heddle::scan
