// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "interpret/code/values.h"
#include "interpret/core/core.h"

namespace heddle::interpret {

Object& Core::resolve_slow(const Slot& pointer, std::uint64_t size, bool is_write) {
  const Address address = pointer.bits & memory.address_mask();
  if (pointer.undef != 0) undefined("an uninitialised value is used as an address");
  if (pointer.object == 0) {
    const ObjectId id = memory.find(address);
    if (id != 0) {
      Object& object = memory.object(id);
      const std::uint64_t offset = address - object.base;
      if (size <= object.size - offset && !(is_write && object.is_constant)) return object;
    }
  }
  bad_access({address, 0, pointer.object, 0}, size, is_write);
}

void Core::bad_access(const Slot& pointer, std::uint64_t size, bool is_write) {
  const std::string what = std::string(is_write ? "write" : "read") + " of " + std::to_string(size) + " bytes";
  if (pointer.bits < 0x1000) undefined(what + " through a null pointer");
  if (const UndefinedGlobal* missing = undefined_global(pointer.bits); missing != nullptr)
    unsupported("variable " + std::string(program.globals[missing->global].name) + ", which is not defined");
  if (memory.find_dead(pointer.bits) != 0) undefined(what + " after the memory was freed");
  if (memory.find(pointer.bits) == 0 && memory.is_stack(pointer.bits))
    undefined(what + " in the frame of a function that has returned");
  const ObjectId id =
      pointer.object != 0 && memory.object(pointer.object).is_alive ? pointer.object : memory.find(pointer.bits);
  if (id == 0 || !memory.object(id).is_alive) undefined(what + " through a pointer to no live object");
  const Object& object = memory.object(id);
  const std::uint64_t offset = pointer.bits - object.base;
  if (is_write && object.is_constant && offset <= object.size && size <= object.size - offset)
    undefined(what + " to constant memory");
  undefined(what + " at offset " + std::to_string(static_cast<std::int64_t>(offset)) + " of an object of " +
            std::to_string(object.size) + " bytes");
}

void Core::note_access(Object& object, Address address, std::uint64_t size, bool is_write, bool is_atomic) {
  Thread& thread = threads[current];
  Event event;
  event.kind = is_atomic ? (is_write ? EventKind::AtomicWrite : EventKind::AtomicRead)
                         : (is_write ? EventKind::Write : EventKind::Read);
  event.thread = current;
  event.size = static_cast<std::uint32_t>(std::min<std::uint64_t>(size, 0xffffffffU));
  event.address = address;
  std::memcpy(&event.value, object.data + (address - object.base), std::min<std::uint64_t>(size, 8));
  event.path = path_of(thread);
  if (!thread.frames.empty() && thread.frames.back().code != nullptr) {
    event.function = thread.frames.back().code->id;
    event.instruction = thread.frames.back().pc;
  }
  events.push_back(event);
}

Slot Core::load(const Slot& pointer, const Leaf& leaf, bool is_atomic) {
  Object& object = resolve(pointer, leaf.size, false);
  const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
  Slot out;
  std::memcpy(&out.bits, object.data + offset, leaf.size);
  std::memcpy(&out.undef, object.undef + offset, leaf.size);
  out.bits &= mask_of(leaf.bits);
  out.undef &= mask_of(leaf.bits);
  if (is_recorded(object)) note_access(object, object.base + offset, leaf.size, false, is_atomic);
  if (leaf.is_pointer && out.undef == 0) out.object = memory.find(out.bits);
  return out;
}

void Core::store(const Slot& pointer, const Leaf& leaf, const Slot& value, bool is_atomic) {
  Object& object = resolve(pointer, leaf.size, true);
  const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
  if (memory.logging()) memory.log_bytes(static_cast<ObjectId>(&object - memory.objects()), offset, leaf.size);
  std::memcpy(object.data + offset, &value.bits, leaf.size);
  std::memcpy(object.undef + offset, &value.undef, leaf.size);
  if (value.object != 0) memory.mark_shared(value.object);
  if (is_recorded(object)) note_access(object, object.base + offset, leaf.size, true, is_atomic);
}

void Core::load_many(const Slot& pointer, const Shape& shape, Slot* to, bool is_atomic) {
  for (std::uint32_t i = 0; i < shape.slots; ++i)
    to[i] = load({pointer.bits + shape.leaves[i].offset, pointer.undef, pointer.object, 0}, shape.leaves[i], is_atomic);
}

void Core::store_many(const Slot& pointer, const Shape& shape, const Slot* from, bool is_atomic) {
  for (std::uint32_t i = 0; i < shape.slots; ++i)
    store({pointer.bits + shape.leaves[i].offset, pointer.undef, pointer.object, 0}, shape.leaves[i], from[i],
          is_atomic);
}

void Core::check_overlap(const Slot& to, const Slot& from, std::uint64_t count) {
  const std::uint64_t distance = to.bits > from.bits ? to.bits - from.bits : from.bits - to.bits;
  if (distance != 0 && distance < count) undefined("memcpy between areas that overlap");
}

void Core::copy_bytes(const Slot& to, const Slot& from, std::uint64_t count) {
  if (count == 0) return;
  Object& source = resolve(from, count, false);
  Object& target = resolve(to, count, true);
  const std::uint64_t s = (from.bits & memory.address_mask()) - source.base;
  const std::uint64_t t = (to.bits & memory.address_mask()) - target.base;
  if (is_recorded(source)) note_access(source, source.base + s, count, false, false);
  if (memory.logging()) memory.log_bytes(static_cast<ObjectId>(&target - memory.objects()), t, count);
  std::memmove(target.data + t, source.data + s, count);
  std::memmove(target.undef + t, source.undef + s, count);
  if (is_recorded(target)) note_access(target, target.base + t, count, true, false);
}

void Core::set_bytes(const Slot& to, const Slot& byte, std::uint64_t count) {
  if (count == 0) return;
  Object& target = resolve(to, count, true);
  const std::uint64_t t = (to.bits & memory.address_mask()) - target.base;
  if (memory.logging()) memory.log_bytes(static_cast<ObjectId>(&target - memory.objects()), t, count);
  std::memset(target.data + t, static_cast<int>(byte.bits & 0xff), count);
  std::memset(target.undef + t, static_cast<int>(byte.undef & 0xff), count);
  if (is_recorded(target)) note_access(target, target.base + t, count, true, false);
}

std::uint64_t Core::read_word(const Slot& pointer, std::uint32_t bytes) {
  return load(pointer, {0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false}, false).bits;
}

void Core::write_word(const Slot& pointer, std::uint32_t bytes, std::uint64_t value) {
  const Leaf leaf{0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false};
  store(pointer, leaf, {value & mask_of(bytes * 8), 0, 0, 0}, false);
}

Slot Core::read_pointer(const Slot& pointer) {
  return load(pointer,
              {0, static_cast<std::uint8_t>(pointer_bytes), static_cast<std::uint8_t>(pointer_bytes * 8), true}, false);
}

void Core::write_pointer(const Slot& pointer, const Slot& value) {
  store(pointer, {0, static_cast<std::uint8_t>(pointer_bytes), static_cast<std::uint8_t>(pointer_bytes * 8), true},
        value, false);
}

std::string Core::read_string(const Slot& pointer) {
  Object& object = resolve(pointer, 1, false);
  const std::uint64_t start = (pointer.bits & memory.address_mask()) - object.base;
  std::uint64_t at = start;
  while (at < object.size && object.data[at] != 0) ++at;
  if (at == object.size)
    bad_access({object.base + object.size, 0, static_cast<ObjectId>(&object - memory.objects()), 0}, 1, false);
  if (is_recorded(object)) note_access(object, object.base + start, at - start + 1, false, false);
  for (std::uint64_t i = start; i <= at; ++i)
    if (object.undef[i] != 0) undefined("a string that is not initialised is read");
  return {reinterpret_cast<const char*>(object.data + start), at - start};
}

const std::uint8_t* Core::read_bytes(const Slot& pointer, std::uint64_t count) {
  static constexpr std::uint8_t nothing = 0;
  if (count == 0) return &nothing;
  Object& object = resolve(pointer, count, false);
  const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
  if (is_recorded(object)) note_access(object, object.base + offset, count, false, false);
  return object.data + offset;
}

void Core::write_bytes(const Slot& pointer, const void* from, std::uint64_t count) {
  if (count == 0) return;
  Object& object = resolve(pointer, count, true);
  const std::uint64_t offset = (pointer.bits & memory.address_mask()) - object.base;
  if (memory.logging()) memory.log_bytes(static_cast<ObjectId>(&object - memory.objects()), offset, count);
  std::memcpy(object.data + offset, from, count);
  std::memset(object.undef + offset, 0, count);
  if (is_recorded(object)) note_access(object, object.base + offset, count, true, false);
}

bool Core::stop_before_access(Thread& thread, const Slot& pointer, std::uint64_t size, bool is_write) {
  if (section_depth > 0) return false;
  if (granted) {
    granted = false;
    return false;
  }
  if (is_alone()) return false;
  const ObjectId id = pointer.object != 0 ? pointer.object : memory.find(pointer.bits & memory.address_mask());
  if (id == 0 || !memory.object(id).is_shared) return false;
  thread.op = is_write ? OpKind::Write : OpKind::Read;
  thread.op_object = pointer.bits;
  thread.touches[0] = {pointer.bits & memory.address_mask(), static_cast<std::uint32_t>(size), is_write, false, false};
  thread.touch_count = 1;
  return true;
}

}  // namespace heddle::interpret
