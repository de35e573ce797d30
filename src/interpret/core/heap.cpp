// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/heap.h"

#include <algorithm>

namespace heddle::interpret {

Slot Heap::allocate(std::uint64_t size, std::uint64_t align, bool zeroed, bool may_fail) {
  if (may_fail && choices_.allocation_fails()) return {};
  if (size > memory_.address_mask() / 2) return {};  // no machine has that much: malloc gives null
  if (size > options_.max_heap_bytes || memory_.live_bytes() + size > options_.max_heap_bytes)
    account_.cap_reached("heap");
  AllocationRequest request{ObjectKind::Heap, size, align, threads_.current(), {}, 0, zeroed};
  const Frame& frame = threads_.running().frames.back();
  if (frame.code != nullptr) {
    request.function = frame.code->id;
    request.instruction = frame.pc;
  }
  const ObjectId id = memory_.allocate(request);
  if (id == 0) account_.cap_reached("address space");
  return space_.pointer_to(id);
}

void Heap::release(const Slot& pointer) {
  if (pointer.undef != 0) account_.undefined("an uninitialised pointer is freed");
  const Address address = space_.address_of(pointer);
  if (address == 0) return;
  const ObjectId id = memory_.find(address);
  if (const ObjectId dead = memory_.find_dead(address); id == 0 && dead != 0) {
    recorder_.add_end(memory_.object(dead));
    account_.undefined("memory is freed twice");
  }
  if (id == 0 || memory_.object(id).kind != ObjectKind::Heap || memory_.object(id).base != address)
    account_.undefined("an address is freed that was not allocated");
  const Object& object = memory_.object(id);
  if (recorder_.is_recorded(object)) recorder_.add_end(object);
  syncs_.drop_in(object);
  memory_.release(id);
}

Slot Heap::reallocate(const Slot& pointer, std::uint64_t size) {
  const Address address = space_.address_of(pointer);
  if (address == 0) return allocate(size, 16, false, true);
  const ObjectId id = memory_.find(address);
  if (id == 0 || memory_.object(id).base != address) release(pointer);  // says what is wrong
  const Slot fresh = allocate(size, 16, false, true);
  if (fresh.bits == 0) return fresh;
  space_.copy_bytes(fresh, space_.pointer_to(id), std::min(size, memory_.object(id).size));
  release(pointer);
  return fresh;
}

}  // namespace heddle::interpret
