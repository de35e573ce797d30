// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/sync/rehearsal.h"

#include <algorithm>

namespace heddle::interpret {
namespace {

/// All events of one kind as one range in the object of the first; size 0: there is none.
Touch hull(Memory& memory, std::span<const Event> events, EventKind kind) {
  Touch touch;
  for (const Event& event : events) {
    if (event.kind != kind) continue;
    if (touch.size == 0) touch = {event.address, event.size, kind == EventKind::Write, false, false};
    if (memory.find(event.address) != memory.find(touch.address)) continue;
    const Address end = std::max(touch.address + touch.size, event.address + event.size);
    touch.address = std::min(touch.address, event.address);
    touch.size = static_cast<std::uint32_t>(end - touch.address);
  }
  return touch;
}

void rehearse(NativeCall& call, Native native) {
  Core& core = call.core;
  const MarkState mark = core.journal.take();
  core.threads.save(core.threads.current());
  core.gate.set_rehearsal(true);
  core.choices.set_rehearsal(true);
  try {
    native(call);
  } catch (const RunOver&) {  // it will end the run again when it counts
  }
  core.gate.set_rehearsal(false);
  core.choices.set_rehearsal(false);
  core.journal.undo_to(mark);
  core.journal.forget_unless_marked();
}

}  // namespace

bool stop_before_native(NativeCall call, Native native) {
  Core& core = call.core;
  if (!core.options.switch_at_accesses || core.gate.in_section() || core.gate.is_granted() || core.threads.live() < 2)
    return false;
  const std::size_t first = core.recorder.events().size();
  rehearse(call, native);
  const std::span<const Event> done = std::span(core.recorder.events()).subspan(first);
  std::vector<Touch> touches;
  for (const EventKind kind : {EventKind::Write, EventKind::Read})
    if (const Touch touch = hull(core.memory, done, kind); touch.size != 0) touches.push_back(touch);
  core.recorder.drop_from(first);
  if (touches.empty()) return false;
  core.gate.stop_before_touches(touches.front().is_write ? OpKind::Write : OpKind::Read, touches);
  return true;
}

}  // namespace heddle::interpret
