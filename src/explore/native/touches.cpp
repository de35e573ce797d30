// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/touches.h"

#include "explore/executor/touched_objects.h"

namespace heddle::explore::native {
namespace {

void add_lock_operation(Event& event, const heddle_view& view, bool holds_object) {
  const bool gives = view.op == HEDDLE_OP_WAIT || (view.op == HEDDLE_OP_UNLOCK && holds_object);
  const TouchKind kind = view.op == HEDDLE_OP_LOCK ? TouchKind::Acquire : gives ? TouchKind::Release : TouchKind::Write;
  // How often a thread holds its own lock is nobody else's affair.
  const bool is_nested = holds_object && (view.op == HEDDLE_OP_LOCK || view.op == HEDDLE_OP_TRY_LOCK);
  if (!is_nested) touch_object(event, lock_space | view.object, kind);
  if (view.lock != 0) touch_object(event, lock_space | view.lock, kind);
}

}  // namespace

Event pending_event(ThreadIndex thread, const heddle_view& view, bool holds_object) {
  Event event;
  event.thread = thread;
  event.touches.reserve(2);
  switch (view.op) {
    case HEDDLE_OP_JOIN:
      // A cancelled thread need not wait for the other one's end.
      touch_object(event, thread_space | view.object, view.mark == 0 ? TouchKind::Acquire : TouchKind::Write);
      touch_object(event, detach_space | view.object, TouchKind::Read);
      break;
    case HEDDLE_OP_TRY_JOIN:
      touch_object(event, thread_space | view.object, TouchKind::Write);
      touch_object(event, detach_space | view.object, TouchKind::Read);
      break;
    case HEDDLE_OP_DETACH: touch_object(event, detach_space | view.object, TouchKind::Write); break;
    case HEDDLE_OP_ATOMIC_READ:
    case HEDDLE_OP_READ: touch_memory(event, view.object, view.size, false); break;
    case HEDDLE_OP_ATOMIC_WRITE:
    case HEDDLE_OP_ATOMIC_UPDATE:
    case HEDDLE_OP_WRITE: touch_memory(event, view.object, view.size, true); break;
    case HEDDLE_OP_LOOK: touch_object(event, lock_space | view.object, TouchKind::Read); break;
    case HEDDLE_OP_NONE:
    case HEDDLE_OP_START:
    case HEDDLE_OP_SPAWN:
    case HEDDLE_OP_SECTION:
    case HEDDLE_OP_EXIT:
    case HEDDLE_OP_CONTINUE:
    case HEDDLE_OP_FAILED: break;
    default: add_lock_operation(event, view, holds_object); break;
  }
  if (view.mark != 0 && view.op != HEDDLE_OP_LOOK) touch_object(event, lock_space | view.mark, TouchKind::Read);
  switch (view.op) {
    case HEDDLE_OP_WAIT: event.operation = Operation::Wait; break;
    case HEDDLE_OP_WAKE: event.operation = Operation::Wake; break;
    case HEDDLE_OP_SEMAPHORE_WAIT:
    case HEDDLE_OP_SEMAPHORE_TRY: event.operation = Operation::Down; break;
    case HEDDLE_OP_SEMAPHORE_POST: event.operation = Operation::Up; break;
    default: break;
  }
  // For these no rule says in front of what they could run: a search must try.
  event.conditional = view.op == HEDDLE_OP_LOCK_SHARED || view.op == HEDDLE_OP_WAKE ||
                      view.op == HEDDLE_OP_BARRIER_LEAVE || view.op == HEDDLE_OP_SEMAPHORE_WAIT ||
                      view.op == HEDDLE_OP_ONCE || (view.mark != 0 && view.op == HEDDLE_OP_JOIN);
  return event;
}

void add_touches(Event& event, std::span<const Deed> deeds, bool at_accesses) {
  bool in_section = false;
  for (const Deed& deed : deeds) {
    switch (deed.kind) {
      case DeedKind::ThreadEnd: touch_object(event, thread_space | deed.thread, TouchKind::Release); break;
      case DeedKind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(deed.address)); break;
      case DeedKind::SectionBegin: in_section = true; break;
      case DeedKind::SectionEnd: in_section = false; break;
      case DeedKind::Acquire:
      case DeedKind::Release:
      case DeedKind::AcquireShared:
      case DeedKind::ReleaseShared: touch_once(event, lock_space | deed.address, TouchKind::Write); break;
      default: break;
    }
    const bool is_memory = deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || deed.kind == DeedKind::Free;
    if (is_atomic(deed.kind) || ((in_section || at_accesses) && is_memory))
      touch_memory(event, deed.address, deed.size, !only_reads(deed.kind));
  }
  sort_touches(event);
}

}  // namespace heddle::explore::native
