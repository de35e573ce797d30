// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/adjacent.h"

#include <algorithm>

namespace heddle::explore {

using interpret::OpKind;
using interpret::ThreadIndex;
using interpret::Touch;

std::vector<Touch> next_touches(interpret::Machine& machine, ThreadIndex thread) {
  if (machine.outcome().kind != interpret::OutcomeKind::Running) return {};
  if (thread >= machine.thread_count() || !machine.is_enabled(thread)) return {};
  // Creating and joining threads write plain memory as well, which only a trial shows.
  const OpKind kind = machine.pending_kind(thread);
  const bool needs_trial =
      kind == OpKind::Section || kind == OpKind::Spawn || kind == OpKind::Join || kind == OpKind::TryJoin;
  if (!needs_trial) return machine.pending(thread).footprint;
  std::vector<Touch> touches;
  if (machine.probe(thread, touches).kind == interpret::StepResult::Kind::NotEnabled) return {};
  return touches;
}

Touch racing_bytes(interpret::Machine& machine, ThreadIndex a, ThreadIndex b) {
  const auto controlled = [&](ThreadIndex thread, const Touch& touch) {
    return touch.is_atomic || machine.pending_kind(thread) == OpKind::Section;
  };
  const std::vector<Touch> first = next_touches(machine, a);
  const std::vector<Touch> second = next_touches(machine, b);
  for (const Touch& x : first)
    for (const Touch& y : second) {
      if (x.is_lock || y.is_lock || (!x.is_write && !y.is_write) || (controlled(a, x) && controlled(b, y))) continue;
      const interpret::Address begin = std::max(x.address, y.address);
      const interpret::Address end = std::min(x.address + x.size, y.address + y.size);
      if (begin < end) return {.address = begin, .size = static_cast<std::uint32_t>(end - begin)};
    }
  return {};
}

}  // namespace heddle::explore
