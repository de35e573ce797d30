// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A native reads and writes memory of the program too: scanf("%d", &shared). Where plain accesses are scheduling
// points, such a call is one access to the scheduler. What it will touch is found by carrying it out and taking it
// back; choices are zero meanwhile.
#include <algorithm>

#include "interpret/core/core.h"

namespace heddle::interpret {
namespace {

/// All events of one kind as one range in the object of the first.
bool hull(Core& core, std::span<const Event> events, EventKind kind, Touch& touch) {
  for (const Event& event : events) {
    if (event.kind != kind) continue;
    if (touch.size == 0) touch = {event.address, event.size, kind == EventKind::Write, false, false};
    if (core.memory.find(event.address) != core.memory.find(touch.address)) continue;
    const Address end = std::max(touch.address + touch.size, event.address + event.size);
    touch.address = std::min(touch.address, event.address);
    touch.size = static_cast<std::uint32_t>(end - touch.address);
  }
  return touch.size != 0;
}

}  // namespace

bool Core::stop_before_native(Thread& thread, NativeCall call, Native native) {
  if (!options.switch_at_accesses || section_depth > 0 || granted || live_threads < 2) return false;
  const std::size_t first = events.size();
  const MarkState mark = take_mark();
  const bool was_logging = memory.logging();
  memory.set_logging(true);
  touch_thread(current);
  is_rehearsal = true;
  try {
    native(call);
  } catch (const RunOver&) {  // it will end the run again when it counts
  }
  is_rehearsal = false;
  undo_to(mark);
  if (!was_logging) forget_log();
  Touch read, write;
  const std::span<const Event> done = std::span(events).subspan(first);
  const bool writes = hull(*this, done, EventKind::Write, write), reads = hull(*this, done, EventKind::Read, read);
  events.resize(first);
  if (!reads && !writes) return false;
  thread.op = writes ? OpKind::Write : OpKind::Read;
  thread.touch_count = 0;
  if (writes) thread.touches[thread.touch_count++] = write;
  if (reads) thread.touches[thread.touch_count++] = read;
  thread.op_object = thread.touches[0].address;
  return true;
}

}  // namespace heddle::interpret
