// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/state/local_state.h"

#include <algorithm>

#include "interpret/code/live_slots.h"

namespace heddle::interpret {
namespace {

// Beyond these nobody wants to look at all of it after each step.
constexpr std::uint64_t large = 1 << 14;  // bytes of stack objects
constexpr std::size_t deep = 100;         // frames

/// A pointer whose object died is another one than when the object lived, although its bits are the same.
void add_slot(Hasher& hasher, const Memory& memory, const Slot& slot) {
  hasher.add(slot.bits).add(slot.undef);
  if (slot.object == 0) return;
  const Object& object = memory.object(slot.object);
  hasher.add(object.is_alive ? object.base : ~0ULL);
}

void add_registers(Hasher& hasher, const StateParts& state, const Thread& thread, const Frame& frame) {
  const auto add = [&](std::uint32_t slot) { add_slot(hasher, state.memory, thread.slots[frame.base + slot]); };
  if (thread.jumps.empty()) {
    for (const std::uint32_t slot : state.live.at(*frame.code, state.code.shapes, frame.pc)) add(slot);
  } else {
    for (std::uint32_t slot = 0; slot < frame.code->frame_slots; ++slot) add(slot);
  }
}

void add_frames(Hasher& hasher, const StateParts& state, const Thread& thread) {
  hasher.add(thread.frames.size());
  for (const Frame& frame : thread.frames) {
    hasher.add(frame.code == nullptr ? ~0ULL : frame.code->id.index()).add(frame.pc).add(frame.varargs);
    hasher.add(frame.stack_top).add(static_cast<std::uint64_t>(frame.native)).add(frame.ends_section ? 1 : 0);
    if (!thread.jumps.empty()) hasher.add(frame.serial);
    for (const std::uint64_t word : frame.state) hasher.add(word);
    if (frame.code != nullptr) add_registers(hasher, state, thread, frame);
  }
}

void add_stack(Hasher& hasher, const Memory& memory, const Thread& thread) {
  hasher.add(thread.stack_objects.size());
  for (const ObjectId id : thread.stack_objects) {
    const Object& object = memory.object(id);
    hasher.add(object.base).add(object.size).add(object.is_shared ? 1 : 0);
    if (object.is_shared) continue;
    hasher.add(std::string_view(reinterpret_cast<const char*>(object.data), object.size));
    hasher.add(std::string_view(reinterpret_cast<const char*>(object.undef), object.size));
  }
}

bool is_private(const Object& object, ThreadIndex thread) {
  return object.kind == ObjectKind::Stack && object.owner == thread && !object.is_shared;
}

bool is_unchanged(const Object& object, const LogEntry& entry) {
  return object.data != nullptr && std::memcmp(object.data + entry.offset, &entry.data, entry.size) == 0 &&
         std::memcmp(object.undef + entry.offset, &entry.undef, entry.size) == 0;
}

}  // namespace

std::optional<ContentHash> local_state(const StateParts& state, ThreadIndex index) {
  const Memory& memory = state.memory;
  const Thread& thread = state.threads[index];
  if (thread.frames.size() > deep) return std::nullopt;
  std::uint64_t bytes = 0;
  for (const ObjectId id : thread.stack_objects) bytes += memory.object(id).is_shared ? 0 : memory.object(id).size;
  if (bytes > large) return std::nullopt;
  Hasher hasher;
  hasher.add(static_cast<std::uint64_t>(thread.op)).add(thread.op_object).add(thread.op_lock);
  hasher.add(thread.is_detached ? 1 : 0);
  if (thread.op == OpKind::Wake) hasher.add(thread.was_signalled ? 1 : 0).add(thread.is_timed ? 1 : 0);
  hasher.add(thread.group).add(thread.group != no_thread && thread.is_joined ? 1 : 0);
  if (thread.op == OpKind::Wake) hasher.add(thread.timeout_status).add(thread.wait_count);
  hasher.add(thread.stack_top);
  hasher.add(thread.section.is_waiting ? thread.section.content : 0);
  add_slot(hasher, memory, thread.result);
  add_slot(hasher, memory, thread.native_result);
  add_frames(hasher, state, thread);
  add_stack(hasher, memory, thread);
  hasher.add(thread.keys.size());
  for (const Slot& key : thread.keys) add_slot(hasher, memory, key);
  hasher.add(thread.exit_calls.size()).add(thread.jumps.size()).add(thread.exceptions.size());
  for (const CaughtException& one : thread.exceptions) hasher.add(one.exception.bits).add(one.handlers);
  for (const HeldLock& held : thread.held) {
    const Sync* row = state.syncs.find(held.lock);
    hasher.add(held.lock).add(held.is_shared ? 1 : 0).add(row != nullptr && row->owner == index ? row->count : 0);
  }
  return hasher.finish();
}

bool left_traces(ThreadIndex thread, std::span<const LogEntry> log, const Memory& memory, std::span<const Event> events,
                 bool takes_locks) {
  for (const LogEntry& entry : log) {
    switch (entry.kind) {
      case LogEntry::Kind::Bytes: {
        // Each old value is the present one: so were all in between.
        const Object& object = memory.object(entry.id);
        if (!is_private(object, thread) && !is_unchanged(object, entry)) return true;
        continue;
      }
      case LogEntry::Kind::Allocate:
      case LogEntry::Kind::Free:
      case LogEntry::Kind::Share:
        if (!is_private(memory.object(entry.id), thread)) return true;
        continue;
      case LogEntry::Kind::Sync:
        if (!takes_locks) return true;
        continue;
      case LogEntry::Kind::Thread:
        if (entry.id != thread) return true;
        continue;
      case LogEntry::Kind::HasSync:
      case LogEntry::Kind::NewSync: continue;
      case LogEntry::Kind::NewThread:
      case LogEntry::Kind::Library: return true;
    }
  }
  return std::ranges::any_of(events, [](const Event& event) { return event.kind == EventKind::SyncReset; });
}

}  // namespace heddle::interpret
