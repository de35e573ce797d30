// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/touches.h"

#include "explore/executor/touched_objects.h"

namespace heddle::explore {

using interpret::EventKind;
using interpret::OpKind;

namespace {

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
  if (kind == OpKind::Join) touch_object(event, thread_space | object, TouchKind::Acquire);
  if (kind == OpKind::TryJoin) touch_object(event, thread_space | object, TouchKind::Write);
  if (kind == OpKind::Join || kind == OpKind::TryJoin) touch_object(event, detach_space | object, TouchKind::Read);
  if (kind == OpKind::Detach) touch_object(event, detach_space | object, TouchKind::Write);
  const bool is_held = machine.holds(thread, object);
  for (const interpret::TouchedBytes& touch : machine.pending_touches(thread)) {
    if (touch.is_lock)
      touch_object(event, lock_space | touch.address, lock_touch(kind, is_held));
    else if (touch.is_atomic || at_accesses)
      touch_memory(event, touch.address, touch.size, touch.is_write);
  }
  return event;
}

void add_touches(Event& event, std::span<const interpret::Event> done, bool at_accesses) {
  bool in_section = false;
  for (const interpret::Event& one : done) {
    switch (one.kind) {
      case EventKind::ThreadEnd: touch_object(event, thread_space | one.thread, TouchKind::Release); break;
      case EventKind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(one.address)); break;
      case EventKind::SectionBegin: in_section = true; break;
      case EventKind::SectionEnd: in_section = false; break;
      case EventKind::Acquire:
      case EventKind::Release:
      case EventKind::AcquireShared:
      case EventKind::ReleaseShared: touch_once(event, lock_space | one.address, TouchKind::Write); break;
      default: break;
    }
    const bool is_atomic = one.kind == EventKind::AtomicRead || one.kind == EventKind::AtomicWrite;
    if (is_atomic || ((in_section || at_accesses) && is_access(one)))
      touch_memory(event, one.address, one.size, one.kind != EventKind::Read && one.kind != EventKind::AtomicRead);
  }
  sort_touches(event);
}

}  // namespace heddle::explore
