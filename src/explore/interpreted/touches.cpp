// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/touches.h"

#include <algorithm>
#include <tuple>

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;

namespace {

constexpr std::uint64_t lock_space = 1ULL << 62, thread_space = 1ULL << 63, detach_space = 1ULL << 61, chunk_bits = 6;

void add_memory(Event& event, interpret::Address address, std::uint64_t size, bool writes) {
  const interpret::Address end = address + size;
  while (address < end) {
    const interpret::Address next = std::min(end, ((address >> chunk_bits) + 1) << chunk_bits);
    event.touches.push_back({.object = address >> chunk_bits,
                             .begin = address,
                             .end = next,
                             .kind = writes ? TouchKind::Write : TouchKind::Read});
    address = next;
  }
}

void add_object(Event& event, std::uint64_t object, TouchKind kind) {
  event.touches.push_back({.object = object, .begin = 0, .end = 1, .kind = kind});
}

void add_once(Event& event, std::uint64_t object, TouchKind kind) {
  const auto is_same = [&](const TouchedObject& touch) { return touch.object == object; };
  if (std::ranges::none_of(event.touches, is_same)) add_object(event, object, kind);
}

/// Releasing a lock that the thread does not hold gives nothing to others.
TouchKind lock_touch(OpKind kind, bool is_held) {
  if (kind == OpKind::Lock) return TouchKind::Acquire;
  const bool gives = (kind == OpKind::Unlock && is_held) || kind == OpKind::Wait;
  return gives ? TouchKind::Release : TouchKind::Write;
}

/// Operations for which no rule says in front of what they could run: a search must try.
bool is_conditional(OpKind kind) {
  switch (kind) {
    case OpKind::LockShared:
    case OpKind::Wake:
    case OpKind::BarrierLeave:
    case OpKind::SemWait:
    case OpKind::Once: return true;
    default: return false;
  }
}

/// Whether a wait ended without a signal is known behind its step only.
Operation operation_of(OpKind kind) {
  switch (kind) {
    case OpKind::Wait: return Operation::Wait;
    case OpKind::Wake: return Operation::Wake;
    case OpKind::SemWait:
    case OpKind::SemTryWait: return Operation::Down;
    case OpKind::SemPost: return Operation::Up;
    default: return Operation::Other;
  }
}

}  // namespace

bool is_access(const interpret::Event& event) {
  switch (event.kind) {
    case EventKind::Read:
    case EventKind::Write:
    case EventKind::AtomicRead:
    case EventKind::AtomicWrite:
    case EventKind::Free: return true;
    default: return false;
  }
}

Event pending_event(const interpret::Machine& machine, ThreadIndex thread, bool at_accesses) {
  Event event;
  event.thread = thread;
  const OpKind kind = machine.pending_kind(thread);
  const interpret::Address object = machine.pending_object(thread);
  event.conditional = is_conditional(kind);
  event.operation = operation_of(kind);
  if (kind == OpKind::Join) add_object(event, thread_space | object, TouchKind::Acquire);
  if (kind == OpKind::TryJoin) add_object(event, thread_space | object, TouchKind::Write);
  if (kind == OpKind::Join || kind == OpKind::TryJoin) add_object(event, detach_space | object, TouchKind::Read);
  if (kind == OpKind::Detach) add_object(event, detach_space | object, TouchKind::Write);
  const bool is_held = machine.holds(thread, object);
  for (const interpret::TouchedBytes& touch : machine.pending_touches(thread)) {
    if (touch.is_lock)
      add_object(event, lock_space | touch.address, lock_touch(kind, is_held));
    else if (touch.is_atomic || at_accesses)
      add_memory(event, touch.address, touch.size, touch.is_write);
  }
  return event;
}

void add_touches(Event& event, std::span<const interpret::Event> done, bool at_accesses) {
  bool in_section = false;
  for (const interpret::Event& one : done) {
    switch (one.kind) {
      case EventKind::ThreadEnd: add_object(event, thread_space | one.thread, TouchKind::Release); break;
      case EventKind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(one.address)); break;
      case EventKind::SectionBegin: in_section = true; break;
      case EventKind::SectionEnd: in_section = false; break;
      case EventKind::Acquire:
      case EventKind::Release:
      case EventKind::AcquireShared:
      case EventKind::ReleaseShared: add_once(event, lock_space | one.address, TouchKind::Write); break;
      default: break;
    }
    const bool is_atomic = one.kind == EventKind::AtomicRead || one.kind == EventKind::AtomicWrite;
    if (is_atomic || ((in_section || at_accesses) && is_access(one)))
      add_memory(event, one.address, one.size, one.kind != EventKind::Read && one.kind != EventKind::AtomicRead);
  }
  const auto key = [](const TouchedObject& touch) {
    return std::tuple(touch.object, touch.begin, touch.end, touch.kind);
  };
  std::ranges::sort(event.touches, {}, key);
  event.touches.erase(std::ranges::unique(event.touches).begin(), event.touches.end());
}

}  // namespace heddle::explore
