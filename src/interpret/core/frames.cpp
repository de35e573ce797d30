// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/frames.h"

#include <algorithm>

#include "interpret/core/va_list.h"
#include "program/model/function_queries.h"

namespace heddle::interpret {
namespace {

constexpr Slot undefined_slot{0, ~0ULL, 0, 0};

std::uint32_t end_of(const Thread& thread) {
  if (thread.frames.empty()) return 0;
  const Frame& top = thread.frames.back();
  return top.base + (top.code == nullptr ? 0 : top.code->frame_slots);
}

}  // namespace

const FunctionCode& Frames::function_at(const Slot& address) {
  const auto& functions = image_.decoded.functions;
  if (address.undef != 0) account_.undefined("an uninitialised value is called");
  const std::size_t index = Memory::function_at(space_.address_of(address), functions.size());
  if (address.bits == 0) account_.undefined("call of a null pointer");
  if (index >= functions.size()) account_.undefined("call of an address that is no function");
  return functions[index];
}

Frame& Frames::add(Thread& thread, const FunctionCode* code) {
  if (thread.frames.size() >= options_.max_stack_depth) account_.cap_reached("stack depth");
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
  recorder_.add_enter(thread);
  return thread.frames.back();
}

void Frames::fill_thread_locals(Thread& thread) {
  const Frame& frame = thread.frames.back();
  for (const ThreadLocalUse& use : frame.code->thread_locals)
    thread.slots[frame.base + static_cast<std::uint32_t>(use.slot)] =
        space_.pointer_to(thread_local_object(threads_.current(), use.global));
}

void Frames::push(Thread& thread, const FunctionCode& code, std::span<const Slot> arguments) {
  add(thread, &code);
  Slot* to = thread.slots.data() + thread.frames.back().base;
  for (std::uint32_t i = 0; i < code.parameter_slots; ++i) to[i] = i < arguments.size() ? arguments[i] : undefined_slot;
  fill_thread_locals(thread);
}

void Frames::call(Thread& thread, const FunctionCode& code, const CallCode& site) {
  const std::uint32_t caller_base = thread.frames.back().base;
  Frame& frame = add(thread, &code);
  frame.ends_section = code.is_section;
  Slot* to = thread.slots.data() + frame.base;
  const Slot* const end = to + code.parameter_slots;
  const Slot* const caller = thread.slots.data() + caller_base;
  const Slot* const constants = image_.decoded.constants_end();
  std::size_t i = 0;
  bool has_byval = false;
  for (; i < site.arguments.size() && to < end; ++i) {
    const CallArgument& argument = site.arguments[i];
    const Slot* from = (argument.slot < 0 ? constants : caller) + argument.slot;
    for (std::uint32_t s = 0; s < argument.slots && to < end; ++s) *to++ = from[s];
    has_byval = has_byval || argument.byval != 0;
  }
  while (to < end) *to++ = undefined_slot;
  if (has_byval) copy_byval(thread, site, i);
  if (!code.thread_locals.empty()) fill_thread_locals(thread);
  if (code.is_vararg) push_varargs(thread, code, site, caller_base);
}

/// The callee owns copies of what is passed by value.
void Frames::copy_byval(Thread& thread, const CallCode& site, std::size_t count) {
  std::uint32_t at = 0;
  for (std::size_t k = 0; k < count; at += site.arguments[k].slots, ++k) {
    if (site.arguments[k].byval == 0) continue;
    const Slot copy = stack_object(thread, site.arguments[k].byval, site.arguments[k].stack_align);
    space_.copy_bytes(copy, thread.slots[thread.frames.back().base + at], site.arguments[k].byval);
    thread.slots[thread.frames.back().base + at] = copy;
  }
}

void Frames::push_varargs(Thread& thread, const FunctionCode& code, const CallCode& site, std::uint32_t caller_base) {
  const VarargsLayout layout(image_, image_.program.functions[code.id], site);
  // The largest alignment of an argument is a vector's.
  const Slot area = stack_object(thread, layout.size(), 64);
  thread.frames.back().varargs = area.bits;
  layout.store(space_, area, thread.slots.data() + caller_base);
}

/// The end of a local variable that other threads know is to them what free is. Main's own variables end with the
/// program, as far as anybody can tell.
bool Frames::is_end_felt(const Thread& thread, const Object& object) const {
  const bool is_of_main = thread.frames.size() <= 2 && thread.frames.front().native == NativeKind::Startup;
  return object.is_shared && !is_of_main && recorder_.is_recorded(object);
}

void Frames::end_object(const Thread& thread, ObjectId id) {
  const Object& object = memory_.object(id);
  if (is_end_felt(thread, object)) recorder_.add_end(object);
  syncs_.drop_in(object);
  memory_.release(id);
}

/// A parameter that is passed as a copy in the caller's frame, or a temporary, ends with the call that got its address.
void Frames::end_temporaries(Thread& thread) {
  const Frame& frame = thread.frames.back();
  if (frame.code == nullptr) return;
  for (const CallArgument& argument : frame.code->calls[frame.code->code[frame.pc].extra].arguments) {
    const ObjectId id = slot_at(thread, argument.slot)->object;
    if (id == 0 || !memory_.object(id).is_alive) continue;
    const Object& object = memory_.object(id);
    if (object.kind == ObjectKind::Stack && object.is_shared && recorder_.is_recorded(object) &&
        is_temporary(image_.program.functions[object.function], object.instruction))
      recorder_.add_end(object);
  }
}

void Frames::end_local(const Slot& address) {
  if (address.object == 0 || !memory_.object(address.object).is_alive) return;
  const Object& object = memory_.object(address.object);
  if (object.is_shared && recorder_.is_recorded(object)) recorder_.add_end(object);
}

TouchedBytes Frames::felt_end(const Thread& thread) const {
  TouchedBytes all;
  for (std::size_t i = thread.frames.back().first_object; i < thread.stack_objects.size(); ++i) {
    const Object& object = memory_.object(thread.stack_objects[i]);
    if (!is_end_felt(thread, object)) continue;
    const Address begin = all.size == 0 ? object.base : std::min(all.address, object.base);
    const Address end = std::max(all.address + all.size, object.base + object.size);
    all = {begin, static_cast<std::uint32_t>(end - begin), true, false, false, true};
  }
  return all;
}

void Frames::pop(Thread& thread) {
  recorder_.add_return(thread);
  const Frame& frame = thread.frames.back();
  while (thread.stack_objects.size() > frame.first_object) {
    const ObjectId id = thread.stack_objects.back();
    end_object(thread, id);
    thread.stack_objects.pop_back();
  }
  thread.stack_top = frame.stack_top;
  thread.frames.pop_back();
}

void Frames::pop_all(Thread& thread) {
  while (!thread.frames.empty()) pop(thread);
}

void Frames::return_from(Thread& thread, const Slot* value, std::size_t slots) {
  Slot few[4];
  std::vector<Slot> many;
  Slot* copy = few;
  if (slots > 4) {
    many.resize(slots);
    copy = many.data();
  }
  std::copy_n(value, slots, copy);
  pop(thread);
  end_temporaries(thread);
  finish_call(thread, copy, slots);
}

void Frames::finish_call(Thread& thread, const Slot* result, std::size_t slots) {
  Frame& frame = thread.frames.back();
  if (frame.code == nullptr) {
    thread.native_result = slots == 0 ? Slot{} : result[0];
    return;
  }
  const Code& code = frame.code->code[frame.pc];
  const CallCode& site = frame.code->calls[code.extra];
  Slot* to = thread.slots.data() + frame.base + code.dst;
  for (std::uint32_t i = 0; i < site.result_slots; ++i) to[i] = i < slots ? result[i] : undefined_slot;
  if (site.is_invoke)
    take_edge(thread, frame.code->edges[site.normal]);
  else
    ++frame.pc;
}

void Frames::finish_native(Thread& thread, const Slot& result) {
  pop(thread);
  finish_call(thread, &result, 1);
}

void Frames::take_edge(Thread& thread, const Edge& edge) {
  Frame& frame = thread.frames.back();
  std::vector<Slot> values;
  for (std::uint32_t i = 0; i < edge.moves; ++i)
    values.push_back(*slot_at(thread, frame.code->moves[edge.first_move + i].from));
  for (std::uint32_t i = 0; i < edge.moves; ++i)
    thread.slots[frame.base + static_cast<std::uint32_t>(frame.code->moves[edge.first_move + i].to)] = values[i];
  if (recorder_.records_passages()) recorder_.add_jump(frame.code->id, frame.pc, edge.target);
  frame.pc = edge.target;
}

void Frames::long_jump(Thread& thread, std::uint64_t token, std::uint64_t value) {
  for (const JumpPoint& point : thread.jumps) {
    if (point.token != token) continue;
    if (point.frame >= thread.frames.size() || thread.frames[point.frame].serial != point.serial) break;
    while (thread.frames.size() > point.frame + 1) pop(thread);
    thread.frames.back().pc = point.pc;
    const Slot result{value, 0, 0, 0};
    finish_call(thread, &result, 1);
    return;
  }
  account_.undefined("longjmp to a function that has returned");
}

Slot Frames::stack_object(Thread& thread, std::uint64_t size, std::uint64_t align) {
  const std::uint64_t to = std::max<std::uint64_t>(align, 16);
  const Address base = (thread.stack_top + to - 1) / to * to;
  const ThreadIndex owner = threads_.current();
  const Address end = memory_.stack_base(owner) + memory_.stack_size();
  if (base + 32 > end || size > end - base - 32) account_.cap_reached("stack");
  AllocationRequest request{ObjectKind::Stack, size, to, owner, {}, 0, false};
  const Frame& frame = thread.frames.back();
  if (frame.code != nullptr) {
    request.function = frame.code->id;
    request.instruction = frame.pc;
  }
  const ObjectId id = memory_.allocate_at(request, base);
  thread.stack_objects.push_back(id);
  thread.stack_top = base + size + 16;
  return space_.pointer_to(id);
}

ObjectId Frames::thread_local_object(ThreadIndex index, GlobalId id) {
  Thread& thread = threads_[index];
  for (const auto& [global, object] : thread.thread_locals)
    if (global == id) return object;
  const Global& global = image_.program.globals[id];
  if (!Image::has_known_content(global))
    account_.unsupported("variable " + std::string(global.name) + ", which is not defined");
  const std::uint64_t size = std::max<std::uint64_t>(global.size, 1);
  const ObjectId made = memory_.allocate({ObjectKind::ThreadLocal, size, global.align, index, {}, 0, true});
  if (made == 0) account_.cap_reached("address space");
  Object& object = memory_.object(made);
  object.global = id;
  write_initial(image_, global, object.data, object.size, memory_.address_mask());
  for (const Relocation& one : global.relocations) memory_.add_address(object, one.offset);
  thread.thread_locals.emplace_back(id, made);
  return made;
}

void Frames::release_thread_locals(Thread& thread) {
  for (const auto& [global, id] : thread.thread_locals) {
    syncs_.drop_in(memory_.object(id));
    memory_.release(id);
  }
  thread.thread_locals.clear();
}

}  // namespace heddle::interpret
