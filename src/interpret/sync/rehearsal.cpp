// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/sync/rehearsal.h"

#include <algorithm>

namespace heddle::interpret {
namespace {

bool writes(EventKind kind) {
  return kind == EventKind::Write || kind == EventKind::Free || kind == EventKind::SyncReset;
}

/// All plain writes, or reads, as one range in the object of the first; size 0: there is none.
TouchedBytes hull(Memory& memory, std::span<const Event> events, bool of_writes) {
  TouchedBytes touch;
  for (const Event& event : events) {
    if (event.size == 0 || (of_writes ? !writes(event.kind) : event.kind != EventKind::Read)) continue;
    if (touch.size == 0) touch = {event.address, event.size, of_writes, false, false};
    if (memory.find(event.address) != memory.find(touch.address)) continue;
    const Address end = std::max(touch.address + touch.size, event.address + event.size);
    touch.address = std::min(touch.address, event.address);
    touch.size = static_cast<std::uint32_t>(end - touch.address);
    touch.is_end = touch.is_end || event.kind == EventKind::Free;
  }
  return touch;
}

/// Of a copy: what the call would return is nobody's.
void rehearse(NativeCall call, const CallBody& body) {
  Core& core = call.core;
  const MarkState mark = core.journal.take();
  core.threads.save(core.threads.current());
  core.gate.set_rehearsal(true);
  core.choices.set_rehearsal(true);
  try {
    body(call);
  } catch (const RunOver&) {  // it will end the run again when it counts
  }
  core.gate.set_rehearsal(false);
  core.choices.set_rehearsal(false);
  core.journal.undo_to(mark);
  core.journal.forget_unless_marked();
}

}  // namespace

bool stop_before_call(const NativeCall& call, const CallBody& body) {
  Core& core = call.core;
  if (!core.options.switch_at_accesses || core.gate.in_section() || core.gate.is_granted() || core.gate.is_alone())
    return false;
  const std::size_t first = core.recorder.events().size();
  rehearse(call, body);
  const std::span<const Event> done = std::span(core.recorder.events()).subspan(first);
  std::vector<TouchedBytes> touches;
  for (const bool of_writes : {true, false})
    if (const TouchedBytes touch = hull(core.memory, done, of_writes); touch.size != 0) touches.push_back(touch);
  core.recorder.drop_from(first);
  if (touches.empty()) return false;
  core.gate.stop_before_touches(touches.front().is_write ? OpKind::Write : OpKind::Read, touches);
  return true;
}

}  // namespace heddle::interpret
