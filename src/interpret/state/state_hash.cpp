// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/state_hash.h"

#include <algorithm>

namespace heddle::interpret {
namespace {

void hash_slot(Hasher& hasher, const Slot& slot) { hasher.add(slot.bits).add(slot.undef); }

void hash_thread(Hasher& hasher, const Thread& thread) {
  hasher.add(static_cast<std::uint64_t>(thread.op))
      .add(thread.op_object)
      .add(thread.op_lock)
      .add(thread.was_signalled ? 1 : 0);
  hasher.add(thread.wait_count).add(thread.frames.size()).add(thread.section.is_waiting ? thread.section.content : 0);
  for (const Frame& frame : thread.frames) {
    hasher.add(frame.code == nullptr ? ~0ULL : frame.code->id.index()).add(frame.pc).add(frame.varargs);
    if (frame.code == nullptr) {
      for (const std::uint64_t word : frame.state) hasher.add(word);
      continue;
    }
    for (std::uint32_t i = 0; i < frame.code->frame_slots; ++i) hash_slot(hasher, thread.slots[frame.base + i]);
  }
  for (const Slot& key : thread.keys) hash_slot(hasher, key);
}

}  // namespace

ContentHash state_hash(const Memory& memory, const SyncTable& syncs, const Threads& threads) {
  Hasher hasher;
  std::vector<const Object*> objects;
  for (ObjectId id = 1; id < memory.object_count(); ++id)
    if (memory.object(id).is_alive && !memory.object(id).is_constant) objects.push_back(&memory.object(id));
  std::ranges::sort(objects, {}, [](const Object* o) { return o->base; });
  for (const Object* object : objects) {
    hasher.add(object->base).add(object->size);
    hasher.add(std::string_view(reinterpret_cast<const char*>(object->data), object->size));
    hasher.add(std::string_view(reinterpret_cast<const char*>(object->undef), object->size));
  }
  std::vector<Sync> rows = syncs.rows();
  std::ranges::sort(rows, {}, &Sync::address);
  for (const Sync& row : rows)
    hasher.add(row.address).add(row.owner).add(row.count).add(row.readers).add(row.generation);
  for (const Thread& thread : threads) hash_thread(hasher, thread);
  return hasher.finish();
}

}  // namespace heddle::interpret
