// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/space.h"

#include "interpret/code/values.h"

namespace heddle::interpret {
namespace {

constexpr const char* bytes_of_an_address = "the bytes of an address are read";
constexpr const char* bytes_of_a_real = "the bytes of a real number are read, which rounding decides";

}  // namespace

Object& Space::resolve_slow(const Slot& pointer, std::uint64_t size, bool is_write) {
  const Address address = address_of(pointer);
  account_.look_at_unknown(pointer.undef);
  if (pointer.undef != 0) account_.undefined("an uninitialised value is used as an address");
  if (pointer.object == 0) {
    const ObjectId id = memory_.find(address);
    if (id != 0) {
      Object& object = memory_.object(id);
      const std::uint64_t offset = address - object.base;
      if (size <= object.size - offset && !(is_write && object.is_constant)) return object;
    }
  }
  bad_access({address, 0, pointer.object, 0}, size, is_write);
}

bool Space::is_ended(Address address) const {
  return memory_.find_dead(address) != 0 || (memory_.find(address) == 0 && memory_.is_stack(address));
}

void Space::bad_access(const Slot& pointer, std::uint64_t size, bool is_write) {
  const std::string what = std::string(is_write ? "write" : "read") + " of " + std::to_string(size) + " bytes";
  if (pointer.bits < 0x1000) account_.undefined(what + " through a null pointer");
  if (const UndefinedGlobal* missing = image_.undefined_global(pointer.bits); missing != nullptr)
    account_.unsupported("variable " + std::string(image_.program.globals[missing->global].name) +
                         ", which is not defined");
  // Whoever ended the memory may be another thread: clocks want to know of the access.
  if (is_ended(pointer.bits))
    recorder_.add(is_write ? EventKind::Write : EventKind::Read, pointer.bits, false, static_cast<std::uint32_t>(size));
  if (memory_.find_dead(pointer.bits) != 0) account_.undefined(what + " after the memory was freed");
  if (is_ended(pointer.bits)) account_.undefined(what + " in the frame of a function that has returned");
  const ObjectId id =
      pointer.object != 0 && memory_.object(pointer.object).is_alive ? pointer.object : memory_.find(pointer.bits);
  if (id == 0 || !memory_.object(id).is_alive) account_.undefined(what + " through a pointer to no live object");
  const Object& object = memory_.object(id);
  const std::uint64_t offset = pointer.bits - object.base;
  if (is_write && object.is_constant && offset <= object.size && size <= object.size - offset)
    account_.undefined(what + " to constant memory");
  account_.undefined(what + " at offset " + std::to_string(static_cast<std::int64_t>(offset)) + " of an object of " +
                     std::to_string(object.size) + " bytes");
}

Slot Space::load(const Slot& pointer, const Leaf& leaf, bool is_atomic) {
  Object& object = resolve(pointer, leaf.size, false);
  const std::uint64_t offset = address_of(pointer) - object.base;
  Slot out;
  std::memcpy(&out.bits, object.data + offset, leaf.size);
  std::memcpy(&out.undef, object.undef + offset, leaf.size);
  out.bits &= mask_of(leaf.bits);
  out.undef &= mask_of(leaf.bits);
  after_access(object, offset, leaf.size, false, is_atomic);
  if (leaf.is_pointer && out.undef == 0) out.object = memory_.find(out.bits);
  if (!leaf.is_pointer) out.doubt = memory_.doubt_in(object, offset, leaf.size);
  return out;
}

void Space::look_at_store(Object& object, std::uint64_t offset, std::uint64_t count, const Slot& value) {
  if (object.has_address && memory_.cuts_address(object, offset, count))
    account_.add_doubt("a part of an address is overwritten");
  if (value.doubt == doubt::magnitude)
    account_.add_doubt("a comparison's result is kept, of which the library tells the sign only");
  if (value.doubt == doubt::rounding) Memory::add_rounded(object, offset, count);
  if (value.object != 0 || value.doubt == doubt::address ||
      (count == memory_.pointer_bytes() && memory_.is_address(value.bits)))
    memory_.add_address(object, offset);
}

void Space::store(const Slot& pointer, const Leaf& leaf, const Slot& value, bool is_atomic) {
  Object& object = resolve(pointer, leaf.size, true);
  const std::uint64_t offset = address_of(pointer) - object.base;
  before_write(object, offset, leaf.size);
  look_at_store(object, offset, leaf.size, value);
  std::memcpy(object.data + offset, &value.bits, leaf.size);
  std::memcpy(object.undef + offset, &value.undef, leaf.size);
  if (value.object != 0) memory_.mark_shared(value.object);
  after_access(object, offset, leaf.size, true, is_atomic);
}

void Space::load_many(const Slot& pointer, const Shape& shape, Slot* to, bool is_atomic) {
  for (std::uint32_t i = 0; i < shape.slots; ++i)
    to[i] = load({pointer.bits + shape.leaves[i].offset, pointer.undef, pointer.object, 0}, shape.leaves[i], is_atomic);
}

void Space::store_many(const Slot& pointer, const Shape& shape, const Slot* from, bool is_atomic) {
  for (std::uint32_t i = 0; i < shape.slots; ++i)
    store({pointer.bits + shape.leaves[i].offset, pointer.undef, pointer.object, 0}, shape.leaves[i], from[i],
          is_atomic);
}

void Space::check_overlap(const Slot& to, const Slot& from, std::uint64_t count) {
  const std::uint64_t distance = to.bits > from.bits ? to.bits - from.bits : from.bits - to.bits;
  if (distance != 0 && distance < count) account_.undefined("memcpy between areas that overlap");
}

void Space::copy_bytes(const Slot& to, const Slot& from, std::uint64_t count) {
  if (count == 0) return;
  Object& source = resolve(from, count, false);
  Object& target = resolve(to, count, true);
  const std::uint64_t s = address_of(from) - source.base;
  const std::uint64_t t = address_of(to) - target.base;
  after_access(source, s, count, false, false);
  before_write(target, t, count);
  if ((source.has_address && memory_.cuts_address(source, s, count)) ||
      (target.has_address && memory_.cuts_address(target, t, count)))
    account_.add_doubt("a part of an address is copied or overwritten");
  if (source.has_address) memory_.add_address(target, source.has_odd_address ? 1 : t - s);
  if (Memory::has_rounded_in(source, s, count)) Memory::add_rounded(target, t, count);
  std::memmove(target.data + t, source.data + s, count);
  std::memmove(target.undef + t, source.undef + s, count);
  after_access(target, t, count, true, false);
}

void Space::set_bytes(const Slot& to, const Slot& byte, std::uint64_t count) {
  if (count == 0) return;
  Object& target = resolve(to, count, true);
  const std::uint64_t t = address_of(to) - target.base;
  before_write(target, t, count);
  look_at_store(target, t, count, {});
  std::memset(target.data + t, static_cast<int>(byte.bits & 0xff), count);
  std::memset(target.undef + t, static_cast<int>(byte.undef & 0xff), count);
  after_access(target, t, count, true, false);
}

std::uint64_t Space::read_word(const Slot& pointer, std::uint32_t bytes) {
  const Slot word =
      load(pointer, {0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false}, false);
  if (word.doubt == doubt::address) account_.add_doubt(bytes_of_an_address);
  if (word.doubt == doubt::rounding) account_.add_doubt(bytes_of_a_real);
  account_.look_at_unknown(word.undef);
  return word.bits;
}

std::uint64_t Space::read_handle(const Slot& pointer) {
  const std::uint32_t bytes = image_.pointer_bytes;
  const Slot handle =
      load(pointer, {0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false}, false);
  account_.look_at_unknown(handle.undef);
  return handle.bits;
}

void Space::write_word(const Slot& pointer, std::uint32_t bytes, std::uint64_t value) {
  const Leaf leaf{0, static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(bytes * 8), false};
  store(pointer, leaf, {value & mask_of(bytes * 8), 0, 0, 0}, false);
}

Slot Space::read_pointer(const Slot& pointer) {
  const Slot found = load(
      pointer,
      {0, static_cast<std::uint8_t>(image_.pointer_bytes), static_cast<std::uint8_t>(image_.pointer_bytes * 8), true},
      false);
  account_.look_at_unknown(found.undef);
  return found;
}

void Space::write_pointer(const Slot& pointer, const Slot& value) {
  store(pointer,
        {0, static_cast<std::uint8_t>(image_.pointer_bytes), static_cast<std::uint8_t>(image_.pointer_bytes * 8), true},
        value, false);
}

std::string Space::read_string(const Slot& pointer) {
  Object& object = resolve(pointer, 1, false);
  const std::uint64_t start = address_of(pointer) - object.base;
  std::uint64_t at = start;
  while (at < object.size && object.data[at] != 0) ++at;
  if (at == object.size) bad_access({object.base + object.size, 0, memory_.id_of(object), 0}, 1, false);
  after_access(object, start, at - start + 1, false, false);
  if (object.has_address && memory_.has_address_in(object, start, at - start + 1))
    account_.add_doubt(bytes_of_an_address);
  for (std::uint64_t i = start; i <= at; ++i)
    if (object.undef[i] != 0) account_.undefined("a string that is not initialised is read");
  return {reinterpret_cast<const char*>(object.data + start), at - start};
}

const std::uint8_t* Space::read_bytes(const Slot& pointer, std::uint64_t count) {
  static constexpr std::uint8_t nothing = 0;
  if (count == 0) return &nothing;
  Object& object = resolve(pointer, count, false);
  const std::uint64_t offset = address_of(pointer) - object.base;
  after_access(object, offset, count, false, false);
  if (object.has_address && memory_.has_address_in(object, offset, count)) account_.add_doubt(bytes_of_an_address);
  if (Memory::has_rounded_in(object, offset, count)) account_.add_doubt(bytes_of_a_real);
  for (std::uint64_t i = 0; i < count; ++i) account_.look_at_unknown(object.undef[offset + i]);
  return object.data + offset;
}

void Space::write_bytes(const Slot& pointer, const void* from, std::uint64_t count) {
  if (count == 0) return;
  Object& object = resolve(pointer, count, true);
  const std::uint64_t offset = address_of(pointer) - object.base;
  before_write(object, offset, count);
  look_at_store(object, offset, count, {});
  std::memcpy(object.data + offset, from, count);
  std::memset(object.undef + offset, 0, count);
  after_access(object, offset, count, true, false);
}

Address Space::resolve_sync(const Slot& pointer) {
  const Address address = address_of(pointer);
  if (is_ended(address)) {
    recorder_.add(EventKind::Uses, address, false, 1);
    account_.undefined("a lock is used whose memory has ended");
  }
  memory_.mark_sync(memory_.id_of(resolve(pointer, 1, false)));
  return address_of(pointer);
}

}  // namespace heddle::interpret
