// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/sync/external_call.h"

#include <algorithm>

#include "interpret/sync/effects.h"
#include "interpret/sync/rehearsal.h"

namespace heddle::interpret {
namespace {

/// The values that stand for all that this call can return; null: it is not known what it returns. A section is one
/// step, and may ask for several.
const std::vector<std::uint64_t>* values_of(const NativeCall& call) {
  const Frame& frame = call.thread.frames.back();
  if (call.core.gate.in_section() || frame.code == nullptr) return nullptr;
  const auto found = call.core.options.input_values->find({frame.code->id.index(), frame.pc});
  return found == call.core.options.input_values->end() ? nullptr : &found->second;
}

/// For all that it can return.
void choose_for_all(NativeCall& call, std::vector<Slot>& result) {
  const std::vector<std::uint64_t>* values = values_of(call);
  if (values == nullptr) {
    for (Slot& slot : result) slot.undef = ~0ULL;
  } else if (call.core.gate.admit(OpKind::Input, 0)) {
    result.at(0).bits = call.core.choices.one_of(*values, call.name());
  } else {
    call.stops = true;
  }
}

/// Returns anything.
void choose_result(NativeCall& call) {
  Core& core = call.core;
  const Shape& shape = core.image.shape_of(call.site.result);
  std::vector<Slot> result(shape.slots);
  if (core.options.input_values != nullptr) {
    choose_for_all(call, result);
    if (call.stops) return;
  } else if (shape.is_float) {
    core.choices.float_value(shape, call.name(), result.data());
  } else {
    for (std::uint32_t i = 0; i < shape.slots; ++i)
      result[i].bits = core.choices.value(shape.leaves[i].bits, false, call.name());
  }
  core.recorder.add(EventKind::Uses, 0);
  core.frames.finish_call(call.thread, result.data(), result.size());
  call.stays = true;
}

/// The argument that an action only hands on: that may be unknown.
api::Argument handed_on(const api::Action& action) {
  return api::treat(
      action, [](const api::StartThread& start) { return start.argument; },
      [](const api::UseThreadValue& use) { return use.value; }, [](const api::End& end) { return end.value; },
      api::Always<api::Argument{api::Effect::none}, api::LeaveThread, api::ReturnValue, api::TakeLock, api::GiveLock,
                  api::SetUpObject, api::RunLater, api::UseCondition, api::WaitAtBarrier, api::UseSemaphore,
                  api::RunOnce, api::MakeMemory, api::Touch, api::TouchAtomic, api::MovePointers, api::CallBack,
                  api::Assume, api::MaskEntries, api::DoUnsupported>{});
}

/// Whoever gets the others looks at them.
void look_at_unknown_arguments(const NativeCall& call, const External& external) {
  const bool is_effect = external.kind == External::Kind::Effect;
  const auto spared = static_cast<std::size_t>(is_effect ? handed_on(external.action) : api::Effect::none);
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (i != spared) call.core.account.look_at_unknown(call.arguments[i].undef);
}

/// What the library can do when it calls back a function of its own: these need no step.
bool may_be_called_back(const api::Action& action) {
  return api::treat(
      action, [](const api::GiveLock& give) { return give.lock.kind == api::LockRef::Kind::Object; },
      [](const api::SetUpObject& object) { return object.what == api::SetUpObject::What::LockEnd; },
      [](const api::CallBack& back) { return !back.global.empty(); },
      api::Always<false, api::TakeLock, api::StartThread, api::RunLater, api::LeaveThread, api::UseCondition,
                  api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::UseThreadValue, api::MakeMemory, api::Touch,
                  api::TouchAtomic, api::MovePointers, api::ReturnValue, api::End, api::Assume, api::MaskEntries,
                  api::DoUnsupported>{});
}

[[noreturn]] void refuse_call_back(const NativeCall& call) {
  call.core.account.unsupported("call of " + call.name() + " by the library");
}

/// Nothing but plain memory is touched, so no rule of locks stops the thread before it.
bool is_plain(const api::Action& action) {
  return api::treat(
      action, [](const api::SetUpObject&) { return true; }, [](const api::Touch& touch) { return touch.ends_memory(); },
      [](const api::MakeMemory& make) { return make.old != api::Effect::none; },
      api::Always<false, api::TakeLock, api::GiveLock, api::StartThread, api::RunLater, api::LeaveThread,
                  api::UseCondition, api::WaitAtBarrier, api::UseSemaphore, api::RunOnce, api::UseThreadValue,
                  api::TouchAtomic, api::MovePointers, api::ReturnValue, api::CallBack, api::End, api::Assume,
                  api::MaskEntries, api::DoUnsupported>{});
}

/// The thread stands before the call: what it will do touches the bytes of its objects. It may begin now, also where it
/// will have to wait.
void ask_for(Core& core, Thread& thread, Address object, std::uint32_t bytes) {
  if (thread.op == OpKind::Wake || thread.op == OpKind::BarrierLeave) return;  // behind it: the object may be gone
  for (std::size_t i = 0; i < thread.touch_count; ++i) {
    if (!thread.touches[i].is_lock || thread.touches[i].address != object) continue;
    thread.touches[i].size = bytes;
    core.recorder.add(EventKind::Asks, object, false, bytes);
  }
}

/// Carries out the action, after the reads beside it: they happen before a lock is taken. Its events say how large the
/// synchronisation objects are that it used.
bool use_objects(NativeCall& call, const External& external) {
  const std::size_t first = call.core.recorder.events().size();
  for (const api::Touch& touch : external.touches) read_argument(call, touch);
  const std::size_t behind = call.core.recorder.events().size();
  const bool is_done = carry_out(call, external.action);
  // The thread stopped before the call: it will be made again.
  if (!is_done && call.core.recorder.events().size() == behind) call.core.recorder.drop_from(first);
  for (const External::Object& object : external.objects) {
    if (!has_argument(call, object.argument)) continue;
    const Address address = argument(call, object.argument).bits;
    call.core.recorder.set_size(first, address, object.bytes);
    if (!is_done) ask_for(call.core, call.thread, address, object.bytes);
  }
  return is_done;
}

bool call_effect(NativeCall& call, const External& external) {
  if (!is_plain(external.action)) return use_objects(call, external);
  if (stop_before_call(call, [&](NativeCall& rehearsed) { use_objects(rehearsed, external); })) return false;
  const bool is_done = use_objects(call, external);
  call.core.gate.grant(false);
  return is_done;
}

bool is_empty(const NativeCall& call, const api::Length& length) {
  switch (length.kind) {
    case api::Length::Kind::Argument: return word(call, static_cast<int>(length.value)) == 0;
    case api::Length::Kind::Product:
      return word(call, static_cast<int>(length.value)) == 0 || word(call, static_cast<int>(length.second)) == 0;
    case api::Length::Kind::Constant:
    case api::Length::Kind::Words:
    case api::Length::Kind::Type:
    case api::Length::Kind::Unknown:
    case api::Length::Kind::String: return false;
  }
  return false;
}

/// Memory of others that the model says the call touches.
std::vector<ObjectId> told_objects(NativeCall& call, const External& external) {
  Core& core = call.core;
  std::vector<ObjectId> out;
  for (const api::Touch& touch : external.touches) {
    if (!has_argument(call, touch.object) || argument(call, touch.object).bits == 0) continue;
    const Slot& pointer = argument(call, touch.object);
    const ObjectId id = pointer.object != 0 ? pointer.object : core.memory.find(core.space.address_of(pointer));
    if (id != 0 && core.recorder.is_recorded(core.memory.object(id)) && !is_empty(call, touch.length))
      out.push_back(id);
  }
  return out;
}

/// A real call may touch all that its model names. Native code that left an argument alone altogether says nothing of
/// other runs; one that looked at it knows why it did not write.
void call_native(NativeCall& call, const External& external) {
  Core& core = call.core;
  if (external.may_synchronise) core.recorder.add(EventKind::Uses, 0);
  const std::size_t first = core.recorder.events().size();
  const std::vector<ObjectId> told = told_objects(call, external);
  external.native(call);
  if (call.stops || call.stays) return;
  const auto events = std::span(core.recorder.events()).subspan(first);
  for (const ObjectId id : told)
    if (std::ranges::none_of(events, [&](const Event& event) {
          return (event.kind == EventKind::Write || event.kind == EventKind::Read) &&
                 core.memory.find(event.address) == id;
        }))
      core.account.add_doubt("a library function may touch memory that it left alone here");
}

}  // namespace

bool call_external(Core& core, Thread& thread, const CallCode& site, FunctionId callee) {
  NativeCall call{core, thread, site, callee, {}, {}, {}, false, false};
  call.arguments.reserve(site.arguments.size());
  for (const CallArgument& argument : site.arguments)
    call.arguments.push_back(*core.frames.slot_at(thread, argument.slot));
  const External& external = core.image.externals[callee.index()];
  if (core.options.input_values != nullptr) look_at_unknown_arguments(call, external);
  switch (external.kind) {
    case External::Kind::Native:
      if (stop_before_call(call, external.native)) return false;
      call_native(call, external);
      if (call.stops) return false;
      core.gate.grant(false);
      break;
    case External::Kind::Effect:
      if (!call_effect(call, external)) return false;
      break;
    case External::Kind::Unsupported: call.refuse();
    case External::Kind::Unknown:
      if (!core.image.is_closed) call.refuse();
      [[fallthrough]];
    case External::Kind::Nondet:
      choose_result(call);
      if (call.stops) return false;
      break;
    case External::Kind::Nothing: core.recorder.add(EventKind::Uses, 0); break;
  }
  const Slot result[2] = {call.result, call.second};
  if (!call.stays) core.frames.finish_call(thread, result, 2);
  return true;
}

void enter(Core& core, Thread& thread, Address function, std::span<const Slot> arguments) {
  const FunctionCode& code = core.frames.function_at({function, 0, 0, 0});
  if (code.has_body) {
    core.frames.push(thread, code, arguments);
    return;
  }
  static const CallCode nowhere;
  NativeCall call{core, thread, nowhere, code.id, {arguments.begin(), arguments.end()}, {}, {}, false, false};
  const External& external = core.image.externals[code.id.index()];
  if (external.kind == External::Kind::Native) {
    call_native(call, external);
    if (call.stops) refuse_call_back(call);
  } else if (external.kind == External::Kind::Effect) {
    if (!may_be_called_back(external.action)) refuse_call_back(call);
    core.gate.grant(true);
    carry_out(call, external.action);
    core.gate.grant(false);
  } else {
    call.refuse();
  }
  if (!call.stays) thread.native_result = call.result;
}

}  // namespace heddle::interpret
