// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step touches, in one way for all executors: memory in chunks of 64 bytes, with the bytes in them; a lock, a
// thread, and whether a thread may be joined, each as one object of a space of its own. Searches compare objects first:
// two steps that have none in common never depend on each other.
#pragma once
#include <cstdint>

#include "explore/executor/executor.h"

namespace heddle::explore {

// Addresses of user space end far below.
inline constexpr std::uint64_t lock_space = 1ULL << 62, thread_space = 1ULL << 63, detach_space = 1ULL << 61;

void touch_memory(Event& event, std::uint64_t address, std::uint64_t size, bool writes);
void touch_object(Event& event, std::uint64_t object, TouchKind kind);
/// If the event does not touch it yet, in whatever way.
void touch_once(Event& event, std::uint64_t object, TouchKind kind);
/// In order, each once.
void sort_touches(Event& event);

}  // namespace heddle::explore
