// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "base/check.h"
#include "interpret/code/values.h"
#include "interpret/core/core.h"

namespace heddle::interpret {
namespace {

std::uint32_t end_of(const Thread& thread) {
  if (thread.frames.empty()) return 0;
  const Frame& top = thread.frames.back();
  return top.base + (top.code == nullptr ? 0 : top.code->frame_slots);
}

Frame& add_frame(Core& core, Thread& thread, const FunctionCode* code) {
  if (thread.frames.size() >= core.options.max_stack_depth) core.end_run(OutcomeKind::CapReached, "stack depth");
  Frame frame;
  frame.code = code;
  frame.base = end_of(thread);
  frame.first_object = static_cast<std::uint32_t>(thread.stack_objects.size());
  frame.stack_top = thread.stack_top;
  frame.serial = thread.next_serial++;
  if (code != nullptr) {
    const std::size_t needed = frame.base + code->frame_slots;
    if (thread.slots.size() < needed) thread.slots.resize(std::max(needed, 2 * thread.slots.size()));
    std::fill_n(thread.slots.data() + frame.base, code->frame_slots, Slot{});
  }
  thread.frames.push_back(frame);
  return thread.frames.back();
}

void fill_thread_locals(Core& core, Thread& thread) {
  const Frame& frame = thread.frames.back();
  for (const ThreadLocalUse& use : frame.code->thread_locals)
    thread.slots[frame.base + static_cast<std::uint32_t>(use.slot)] =
        core.pointer_to(core.thread_local_object(core.current, use.global));
}

}  // namespace

Slot Core::stack_object(Thread& thread, std::uint64_t size, std::uint64_t align) {
  const std::uint64_t to = std::max<std::uint64_t>(align, 16);
  const Address base = (thread.stack_top + to - 1) / to * to;
  const Address end = memory.stack_base(current) + memory.stack_size();
  if (base + 32 > end || size > end - base - 32) end_run(OutcomeKind::CapReached, "stack");
  AllocationRequest request{ObjectKind::Stack, size, to, current, {}, 0, false};
  const Frame& frame = thread.frames.back();
  if (frame.code != nullptr) {
    request.function = frame.code->id;
    request.instruction = frame.pc;
  }
  const ObjectId id = memory.allocate_at(request, base);
  thread.stack_objects.push_back(id);
  thread.stack_top = base + size + 16;
  return pointer_to(id);
}

void Core::push_frame(Thread& thread, const FunctionCode& code, const Slot* arguments, std::size_t count) {
  add_frame(*this, thread, &code);
  Slot* to = thread.slots.data() + thread.frames.back().base;
  for (std::uint32_t i = 0; i < code.parameter_slots; ++i) to[i] = i < count ? arguments[i] : Slot{0, ~0ULL, 0, 0};
  fill_thread_locals(*this, thread);
}

void Core::push_native(Thread& thread, NativeKind kind) { add_frame(*this, thread, nullptr).native = kind; }

void Core::pop_frame(Thread& thread) {
  const Frame& frame = thread.frames.back();
  while (thread.stack_objects.size() > frame.first_object) {
    const ObjectId id = thread.stack_objects.back();
    if (memory.object(id).has_sync) drop_syncs(memory.object(id));
    memory.release(id);
    thread.stack_objects.pop_back();
  }
  thread.stack_top = frame.stack_top;
  thread.frames.pop_back();
}

void Core::call(Thread& thread, const FunctionCode& code, const CallCode& site) {
  const std::uint32_t caller_base = thread.frames.back().base;
  Frame& frame = add_frame(*this, thread, &code);
  frame.ends_section = code.is_section;
  Slot* to = thread.slots.data() + frame.base;
  const Slot* const end = to + code.parameter_slots;
  const Slot* const caller = thread.slots.data() + caller_base;
  const Slot* const constants = decoded.constants_end();
  std::size_t i = 0;
  bool has_byval = false;
  for (; i < site.arguments.size() && to < end; ++i) {
    const CallArgument& argument = site.arguments[i];
    const Slot* from = (argument.slot < 0 ? constants : caller) + argument.slot;
    for (std::uint32_t s = 0; s < argument.slots && to < end; ++s) *to++ = from[s];
    has_byval = has_byval || argument.byval != 0;
  }
  while (to < end) *to++ = {0, ~0ULL, 0, 0};
  if (has_byval) {
    std::uint32_t at = 0;
    for (std::size_t k = 0; k < i; at += site.arguments[k].slots, ++k) {
      if (site.arguments[k].byval == 0) continue;
      const Slot copy = stack_object(thread, site.arguments[k].byval, site.arguments[k].stack_align);
      copy_bytes(copy, thread.slots[thread.frames.back().base + at], site.arguments[k].byval);
      thread.slots[thread.frames.back().base + at] = copy;
    }
  }
  if (!code.thread_locals.empty()) fill_thread_locals(*this, thread);
  if (code.is_vararg) lay_out_varargs(thread, code, site, caller_base);
}

bool Core::call_external(Thread& thread, const CallCode& site, FunctionId callee) {
  NativeCall call{*this, thread, site, callee, {}, {}, {}, false, false};
  call.arguments.reserve(site.arguments.size());
  for (const CallArgument& argument : site.arguments) call.arguments.push_back(*slot_at(thread, argument.slot));
  const External& external = externals[callee.index()];
  switch (external.kind) {
    case External::Kind::Native:
      if (stop_before_native(thread, call, external.native)) return false;
      external.native(call);
      if (call.stops) return false;
      granted = false;
      break;
    case External::Kind::Effect:
      if (!effect_call(call, external.action)) return false;
      break;
    case External::Kind::Unsupported: unsupported("function " + name_of(callee));
    case External::Kind::Unknown:
      if (!is_closed) unsupported("function " + name_of(callee));
      [[fallthrough]];
    case External::Kind::Nondet: {
      const Shape& shape = decoded.shapes[site.result.index()];
      std::vector<Slot> result(shape.slots);
      if (shape.is_float) {
        choose_float(shape, name_of(callee), result.data());
      } else {
        for (std::uint32_t i = 0; i < shape.slots; ++i)
          result[i].bits = choose_value(shape.leaves[i].bits, false, name_of(callee));
      }
      finish_call(thread, result.data(), result.size());
      return true;
    }
  }
  const Slot result[2] = {call.result, call.second};
  if (!call.stays) finish_call(thread, result, 2);
  return true;
}

namespace {

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

}  // namespace

void Core::enter(Thread& thread, Address function, const Slot* arguments, std::size_t count) {
  const FunctionCode& code = function_at({function, 0, 0, 0});
  if (code.has_body) {
    push_frame(thread, code, arguments, count);
    return;
  }
  static const CallCode nowhere;
  NativeCall call{*this, thread, nowhere, code.id, {arguments, arguments + count}, {}, {}, false, false};
  const External& external = externals[code.id.index()];
  if (external.kind == External::Kind::Native) {
    external.native(call);
    if (call.stops) unsupported("call of " + name_of(code.id) + " by the library");
  } else if (external.kind == External::Kind::Effect) {
    if (!may_be_called_back(external.action)) unsupported("call of " + name_of(code.id) + " by the library");
    granted = true;
    effect_call(call, external.action);
    granted = false;
  } else {
    unsupported("function " + name_of(code.id));
  }
  if (!call.stays) thread.native_result = call.result;
}

void Core::take_edge(Thread& thread, const Edge& edge) {
  Frame& frame = thread.frames.back();
  std::vector<Slot> values;
  for (std::uint32_t i = 0; i < edge.moves; ++i)
    values.push_back(*slot_at(thread, frame.code->moves[edge.first_move + i].from));
  for (std::uint32_t i = 0; i < edge.moves; ++i)
    thread.slots[frame.base + static_cast<std::uint32_t>(frame.code->moves[edge.first_move + i].to)] = values[i];
  frame.pc = edge.target;
}

void Core::finish_call(Thread& thread, const Slot* result, std::size_t slots) {
  Frame& frame = thread.frames.back();
  if (frame.code == nullptr) {
    thread.native_result = slots == 0 ? Slot{} : result[0];
    return;
  }
  const Code& code = frame.code->code[frame.pc];
  const CallCode& site = frame.code->calls[code.extra];
  Slot* to = thread.slots.data() + frame.base + code.dst;
  for (std::uint32_t i = 0; i < site.result_slots; ++i) to[i] = i < slots ? result[i] : Slot{0, ~0ULL, 0, 0};
  if (site.is_invoke)
    take_edge(thread, frame.code->edges[site.normal]);
  else
    ++frame.pc;
}

void Core::finish_native(Thread& thread, const Slot& result) {
  pop_frame(thread);
  finish_call(thread, &result, 1);
}

void Core::return_from(Thread& thread, const Slot* value, std::size_t slots) {
  Slot few[4];
  std::vector<Slot> many;
  Slot* copy = few;
  if (slots > 4) {
    many.resize(slots);
    copy = many.data();
  }
  std::copy_n(value, slots, copy);
  pop_frame(thread);
  finish_call(thread, copy, slots);
}

const FunctionCode& Core::function_at(const Slot& address) {
  if (address.undef != 0) undefined("an uninitialised value is called");
  const std::size_t index = memory.function_at(address.bits & memory.address_mask(), decoded.functions.size());
  if (address.bits == 0) undefined("call of a null pointer");
  if (index >= decoded.functions.size()) undefined("call of an address that is no function");
  return decoded.functions[index];
}

void Core::long_jump(Thread& thread, std::uint64_t token, std::uint64_t value) {
  for (const JumpPoint& point : thread.jumps) {
    if (point.token != token) continue;
    if (point.frame >= thread.frames.size() || thread.frames[point.frame].serial != point.serial) break;
    while (thread.frames.size() > point.frame + 1) pop_frame(thread);
    thread.frames.back().pc = point.pc;
    const Slot result{value, 0, 0, 0};
    finish_call(thread, &result, 1);
    return;
  }
  undefined("longjmp to a function that has returned");
}

}  // namespace heddle::interpret
