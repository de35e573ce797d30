// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>

#include "interpret/core/core.h"

namespace heddle::interpret {

MarkState Core::take_mark() {
  epoch = next_epoch++;
  MarkState mark;
  mark.log = memory.log().size();
  mark.thread_saves = thread_save_count;
  mark.sync_saves = sync_saves.size();
  mark.shared_saves = shared_saves.size();
  mark.notes = notes.size();
  mark.output = output.size();
  mark.errors = errors.size();
  mark.threads = threads.size();
  mark.instructions = instructions;
  mark.epoch = epoch;
  return mark;
}

void Core::touch_thread(ThreadIndex index) {
  Thread& thread = threads[index];
  if (!memory.logging() || thread.saved_in == epoch) return;
  if (thread_saves.size() == thread_save_count) {
    thread_saves.emplace_back();
    thread_save_ids.emplace_back();
  }
  Thread& save = thread_saves[thread_save_count];
  thread_save_ids[thread_save_count] = index;
  ++thread_save_count;
  // Slots above the top frame are dead: only what is in use is copied.
  const std::size_t used =
      thread.frames.empty() ? 0
                            : thread.frames.back().base +
                                  (thread.frames.back().code == nullptr ? 0 : thread.frames.back().code->frame_slots);
  std::vector<Slot> kept = std::move(thread.slots);
  std::vector<Slot> reused = std::move(save.slots);
  thread.slots.clear();
  save = thread;
  reused.assign(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(std::min(used, kept.size())));
  save.slots = std::move(reused);
  thread.slots = std::move(kept);
  thread.saved_in = epoch;
  memory.log().push_back({LogEntry::Kind::Thread, 0, index, 0, 0, 0});
}

void Core::touch_shared() {
  if (!memory.logging()) return;
  shared_saves.push_back(shared);
  memory.log().push_back({LogEntry::Kind::Shared, 0, 0, 0, 0, 0});
}

void Core::undo_to(const MarkState& mark) {
  auto& log = memory.log();
  while (log.size() > mark.log) {
    const LogEntry entry = log.back();
    log.pop_back();
    switch (entry.kind) {
      case LogEntry::Kind::Thread:
        --thread_save_count;
        std::swap(threads[entry.id], thread_saves[thread_save_count]);
        break;
      case LogEntry::Kind::NewThread: remove_thread(entry.id); break;
      case LogEntry::Kind::Sync:
        syncs[sync_index.at(entry.offset)] = sync_saves.back();
        sync_saves.pop_back();
        break;
      case LogEntry::Kind::NewSync:
        sync_index.erase(entry.offset);
        syncs.pop_back();
        break;
      case LogEntry::Kind::Shared:
        shared = std::move(shared_saves.back());
        shared_saves.pop_back();
        break;
      default: memory.undo(entry);
    }
  }
  notes.resize(mark.notes);
  output.resize(mark.output);
  errors.resize(mark.errors);
  instructions = mark.instructions;
  outcome = {};
  live_threads = static_cast<std::size_t>(
      std::ranges::count_if(threads, [](const Thread& t) { return t.status != ThreadStatus::Finished; }));
  epoch = next_epoch++;
}

void Core::forget_log() {
  memory.forget_log();
  memory.set_logging(false);
  sync_saves.clear();
  shared_saves.clear();
  thread_save_count = 0;
}

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

ContentHash Core::state_hash() const {
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
  std::vector<Sync> rows = syncs;
  std::ranges::sort(rows, {}, &Sync::address);
  for (const Sync& row : rows)
    hasher.add(row.address).add(row.owner).add(row.count).add(row.readers).add(row.generation);
  for (const Thread& thread : threads) hash_thread(hasher, thread);
  return hasher.finish();
}

}  // namespace heddle::interpret
