// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/touched_objects.h"

#include <algorithm>
#include <tuple>

namespace heddle::explore {

void touch_memory(Event& event, std::uint64_t address, std::uint64_t size, bool writes) {
  constexpr std::uint64_t chunk_bits = 6;
  const std::uint64_t end = address + size;
  while (address < end) {
    const std::uint64_t next = std::min(end, ((address >> chunk_bits) + 1) << chunk_bits);
    event.touches.push_back({.object = address >> chunk_bits,
                             .begin = address,
                             .end = next,
                             .kind = writes ? TouchKind::Write : TouchKind::Read});
    address = next;
  }
}

void touch_object(Event& event, std::uint64_t object, TouchKind kind) {
  event.touches.push_back({.object = object, .begin = 0, .end = 1, .kind = kind});
}

void touch_once(Event& event, std::uint64_t object, TouchKind kind) {
  const auto is_same = [&](const TouchedObject& touch) { return touch.object == object; };
  if (std::ranges::none_of(event.touches, is_same)) touch_object(event, object, kind);
}

void sort_touches(Event& event) {
  if (event.touches.size() < 2) return;
  const auto key = [](const TouchedObject& touch) {
    return std::tuple(touch.object, touch.begin, touch.end, touch.kind);
  };
  std::ranges::sort(event.touches, {}, key);
  event.touches.erase(std::ranges::unique(event.touches).begin(), event.touches.end());
}

}  // namespace heddle::explore
