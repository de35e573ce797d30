// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What library functions do to the names and events of a function, by the actions of their models. What a summary
// cannot express is in scan/calls/assumed_calls.h, under a name; what is left out here without one costs no warning: a
// condition or a barrier orders threads, and a scan derives no order from them.
#include <algorithm>

#include "base/content_hash.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

std::uint32_t short_hash(std::string_view text) {
  return static_cast<std::uint32_t>(Hasher().add(text).finish().low & 0x7fffffffU);
}

}  // namespace

void Summariser::apply_model(std::size_t number, const api::Model& model, std::span<const Operand> arguments) {
  const LibraryCall call{number, arguments};
  for (const api::Effect& effect : model.effects) apply_action(call, api::action_of(effect));
}

void Summariser::apply_action(const LibraryCall& call, const api::Action& action) {
  api::treat(
      action, [&](const api::TakeLock& take) { take_lock(call, take); },
      [&](const api::GiveLock& give) {
        lock_event(call, Event::Kind::Release, lock_of(call, give.lock), Outcome::Always, false);
      },
      [&](const api::SetUpObject& object) { set_up(call, object); },
      [&](const api::StartThread& start) { start_thread(call, start); },
      // Who runs it, and when, is found with the threads: scan/reach/late_calls.h.
      [&](const api::RunLater& later) { give_away(call, later.argument); },
      [&](const api::LeaveThread& leave) { leave_thread(call, leave); },
      [&](const api::UseSemaphore& use) { use_semaphore(call, use); },
      [&](const api::RunOnce& once) { run_once(call, once); },
      [&](const api::UseThreadValue& use) { use_thread_value(call, use); },
      [&](const api::MakeMemory& make) { make_memory(call, make); },
      [&](const api::Touch& touch) { touch_memory(call, touch); },
      [&](const api::TouchAtomic& touch) { touch_atomic(call, touch); },
      [&](const api::MovePointers& move) { move_pointers(call, move); },
      [&](const api::ReturnValue& value) { return_value(call, value); },
      [&](const api::CallBack& back) {
        call_targets(call, {back.argument, back.value});
        set_value(call.number, {});
      },
      // Nothing behind the call can touch what it gives away; who runs at the end is found with the threads.
      api::Nothing<api::End>{},
      // Orders threads, or says what cannot be: neither takes an access away here.
      api::Nothing<api::UseCondition, api::WaitAtBarrier, api::Assume>{},
      // Counted: assumed_calls.h.
      api::Nothing<api::MaskEntries, api::DoUnsupported>{});
}

void Summariser::lock_event(const LibraryCall& call, Event::Kind kind, Lvalue lock, Outcome outcome, bool is_shared) {
  if (!lock.valid()) return;
  // Each thread has its own: it excludes nobody.
  const Node& root = nodes_[nodes_.root(lock.node)];
  if (root.kind == NodeKind::Global && lock.node == nodes_.root(lock.node) &&
      in_.program.globals[GlobalId(root.index)].is_thread_local)
    return;
  has_lock_events_ = true;
  events_.push_back({.kind = kind,
                     .flag = is_shared,
                     .outcome = outcome,
                     .position = position_,
                     .instruction = static_cast<std::uint32_t>(call.number),
                     .number = f_->result_of(call.number).index(),
                     .where = lock});
}

Lvalue Summariser::hidden(std::string_view name) {
  return {nodes_.intern({.kind = NodeKind::Hidden, .index = short_hash(name)}), 0};
}

Lvalue Summariser::place_of(const LibraryCall& call, api::Argument argument) {
  return call.has(argument) ? lvalue_of(call[argument]) : Lvalue{};
}

Lvalue Summariser::lock_of(const LibraryCall& call, const api::LockRef& lock) {
  switch (lock.kind) {
    case api::LockRef::Kind::Object: return place_of(call, lock.object);
    case api::LockRef::Kind::Named: return hidden(lock.name);
    case api::LockRef::Kind::Section: return hidden("atomic section");
  }
  return {};
}

/// The result with which something was done; `Always` if it is not for the result to say.
Summariser::Outcome Summariser::outcome_of(api::Success success) {
  switch (success) {
    case api::Success::Always: return Outcome::Always;
    case api::Success::Zero: return Outcome::Zero;
    case api::Success::NonZero: return Outcome::NonZero;
    case api::Success::NonNegative: return Outcome::NonNegative;
  }
  return Outcome::Always;
}

void Summariser::take_lock(const LibraryCall& call, const api::TakeLock& take) {
  const Outcome outcome = take.outcome.blocking ? Outcome::Always : outcome_of(take.outcome.success);
  lock_event(call, Event::Kind::Acquire, lock_of(call, take.lock), outcome, take.mode == api::LockMode::Shared);
}

void Summariser::use_semaphore(const LibraryCall& call, const api::UseSemaphore& use) {
  if (!in_.semaphores.contains(id_, call.number)) return;
  const Lvalue semaphore = place_of(call, use.object);
  switch (use.step) {
    case api::UseSemaphore::Step::Wait: {
      const Outcome outcome = use.outcome.blocking ? Outcome::Always : outcome_of(use.outcome.success);
      return lock_event(call, Event::Kind::Acquire, semaphore, outcome, false);
    }
    case api::UseSemaphore::Step::Post:
      return lock_event(call, Event::Kind::Release, semaphore, Outcome::Always, false);
  }
}

void Summariser::set_up(const LibraryCall& call, const api::SetUpObject& object) {
  switch (object.what) {
    case api::SetUpObject::What::LockKind: return access(call, object.object, AccessMode::Write, 4);
    case api::SetUpObject::What::Lock:
    case api::SetUpObject::What::LockEnd:
    case api::SetUpObject::What::Barrier:
    case api::SetUpObject::What::Semaphore: return;  // counted: assumed_calls.h
  }
}

/// While the body runs, its object is held; what comes behind is not known to be behind it.
void Summariser::run_once(const LibraryCall& call, const api::RunOnce& once) {
  const Lvalue object = place_of(call, once.object);
  switch (once.step) {
    case api::RunOnce::Step::Call:
      lock_event(call, Event::Kind::Acquire, object, Outcome::Always, false);
      call_targets(call, {once.argument});
      lock_event(call, Event::Kind::Release, object, Outcome::Always, false);
      return set_value(call.number, {});
    case api::RunOnce::Step::Begin:
      return lock_event(call, Event::Kind::Acquire, object, outcome_of(once.success), false);
    case api::RunOnce::Step::End:
    case api::RunOnce::Step::Abort: return lock_event(call, Event::Kind::Release, object, Outcome::Always, false);
  }
}

/// The functions that the library calls before it returns, with these arguments of the call.
void Summariser::call_targets(const LibraryCall& call, std::initializer_list<api::Argument> arguments) {
  std::vector<Operand> given;
  for (const api::Argument index : arguments)
    if (call.has(index)) given.push_back(call[index]);
  for (const FunctionId target : in_.targets.of(id_, call.number))
    if (in_.program.functions[target].has_body()) call_function(call.number, target, given, false);
}

void Summariser::leave_thread(const LibraryCall& call, const api::LeaveThread& leave) {
  access(call, leave.result, AccessMode::Write, word_bytes());
  const bool is_join = leave.how == api::LeaveThread::How::Join;
  if (is_join && !leave.outcome.blocking) return;  // it may still run
  has_thread_events_ = true;
  events_.push_back({.kind = is_join ? Event::Kind::Join : Event::Kind::Detach,
                     .position = position_,
                     .instruction = static_cast<std::uint32_t>(call.number),
                     .number = rank_,
                     .where = handle_of(call, leave)});
}

void Summariser::give_away(const LibraryCall& call, api::Argument argument) {
  if (!call.has(argument)) return;
  if (const SymbolicValue given = value_of(call[argument]); given.is_address())
    publish(given.address.node, Reach::Everybody);
}

/// The functions in the slots of a C++ object's virtual table, as far as the object's first word is known.
std::vector<FunctionId> Summariser::table_entries(Lvalue object, int slot) {
  std::vector<FunctionId> out;
  const SymbolicValue table = load_from(object, {});
  if (!table.is_address() || nodes_[table.address.node].kind != NodeKind::Global) return out;
  const Global& global = in_.program.globals[GlobalId(nodes_[table.address.node].index)];
  const std::int64_t word = in_.program.layout.pointer_bits / 8;
  for (const Relocation& r : global.relocations)
    if (static_cast<std::int64_t>(r.offset) == table.address.offset + slot * word && r.target.is_function())
      out.push_back(r.target.as_function());
  return out;
}

void Summariser::start_thread(const LibraryCall& call, const api::StartThread& start) {
  if (!call.has(start.entry)) return;
  out_.may_spawn = true;
  const Operand entry = call[start.entry];
  std::vector<FunctionId> known;
  SymbolicValue argument;
  if (start.entry_slot >= 0) {
    Lvalue object = lvalue_of(entry);
    if (object.valid() && start.indirect)
      if (const SymbolicValue held = load_from(object, {}); held.is_address()) object = held.address;
    if (object.valid()) {
      argument = {.kind = SymbolicValue::Kind::Address, .address = object};
      known = table_entries(object, start.entry_slot);
    }
  } else if (call.has(start.argument)) {
    argument = value_of(call[start.argument]);
  }
  if (argument.is_address()) publish(argument.address.node, Reach::Everybody);
  Lvalue handle;
  if (call.has(start.handle)) handle = lvalue_of(call[start.handle]);
  const SymbolicValue value = start.entry_slot >= 0 ? SymbolicValue{} : value_of(entry);
  if (value.kind == SymbolicValue::Kind::Code || (value.is_address() && nodes_[value.address.node].from_formal))
    return spawn(call.number, value, argument, handle);
  if (known.empty()) {
    const auto targets = in_.targets.of(id_, call.number);
    known.assign(targets.begin(), targets.end());
  }
  for (const FunctionId target : known)
    spawn(call.number, {.kind = SymbolicValue::Kind::Code, .code = target}, argument, handle);
  if (known.empty())
    events_.push_back({.kind = Event::Kind::Spawn,
                       .position = position_,
                       .instruction = static_cast<std::uint32_t>(call.number),
                       .number = started_thread({}, handle, rank_, false)});
}

}  // namespace heddle::scan
