// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/native/touches.h"

#include <algorithm>
#include <tuple>

namespace heddle::explore::native {
namespace {

// Addresses of user space end far below.
constexpr std::uint64_t lock_space = 1ULL << 62, thread_space = 1ULL << 63, detach_space = 1ULL << 61, chunk_bits = 6;

void add_memory(Event& event, std::uint64_t address, std::uint64_t size, bool writes) {
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

void add_object(Event& event, std::uint64_t object, TouchKind kind) {
  event.touches.push_back({.object = object, .begin = 0, .end = 1, .kind = kind});
}

void add_once(Event& event, std::uint64_t object, TouchKind kind) {
  const auto is_same = [&](const TouchedObject& touch) { return touch.object == object; };
  if (std::ranges::none_of(event.touches, is_same)) add_object(event, object, kind);
}

void add_lock_operation(Event& event, const heddle_view& view, bool holds_object) {
  const bool gives = view.op == HEDDLE_OP_WAIT || (view.op == HEDDLE_OP_UNLOCK && holds_object);
  const TouchKind kind = view.op == HEDDLE_OP_LOCK ? TouchKind::Acquire : gives ? TouchKind::Release : TouchKind::Write;
  // How often a thread holds its own lock is nobody else's affair.
  const bool is_nested = holds_object && (view.op == HEDDLE_OP_LOCK || view.op == HEDDLE_OP_TRY_LOCK);
  if (!is_nested) add_object(event, lock_space | view.object, kind);
  if (view.lock != 0) add_object(event, lock_space | view.lock, kind);
}

}  // namespace

Event pending_event(ThreadIndex thread, const heddle_view& view, bool holds_object) {
  Event event;
  event.thread = thread;
  event.touches.reserve(2);
  switch (view.op) {
    case HEDDLE_OP_JOIN:
      // A cancelled thread need not wait for the other one's end.
      add_object(event, thread_space | view.object, view.mark == 0 ? TouchKind::Acquire : TouchKind::Write);
      add_object(event, detach_space | view.object, TouchKind::Read);
      break;
    case HEDDLE_OP_TRY_JOIN:
      add_object(event, thread_space | view.object, TouchKind::Write);
      add_object(event, detach_space | view.object, TouchKind::Read);
      break;
    case HEDDLE_OP_DETACH: add_object(event, detach_space | view.object, TouchKind::Write); break;
    case HEDDLE_OP_ATOMIC_READ:
    case HEDDLE_OP_READ: add_memory(event, view.object, view.size, false); break;
    case HEDDLE_OP_ATOMIC_WRITE:
    case HEDDLE_OP_ATOMIC_UPDATE:
    case HEDDLE_OP_WRITE: add_memory(event, view.object, view.size, true); break;
    case HEDDLE_OP_LOOK: add_object(event, lock_space | view.object, TouchKind::Read); break;
    case HEDDLE_OP_NONE:
    case HEDDLE_OP_START:
    case HEDDLE_OP_SPAWN:
    case HEDDLE_OP_SECTION:
    case HEDDLE_OP_EXIT:
    case HEDDLE_OP_CONTINUE:
    case HEDDLE_OP_FAILED: break;
    default: add_lock_operation(event, view, holds_object); break;
  }
  if (view.mark != 0 && view.op != HEDDLE_OP_LOOK) add_object(event, lock_space | view.mark, TouchKind::Read);
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
      case DeedKind::ThreadEnd: add_object(event, thread_space | deed.thread, TouchKind::Release); break;
      case DeedKind::Spawn: event.spawned.push_back(static_cast<ThreadIndex>(deed.address)); break;
      case DeedKind::SectionBegin: in_section = true; break;
      case DeedKind::SectionEnd: in_section = false; break;
      case DeedKind::Acquire:
      case DeedKind::Release:
      case DeedKind::AcquireShared:
      case DeedKind::ReleaseShared: add_once(event, lock_space | deed.address, TouchKind::Write); break;
      default: break;
    }
    const bool is_memory = deed.kind == DeedKind::Read || deed.kind == DeedKind::Write || deed.kind == DeedKind::Free;
    if (is_atomic(deed.kind) || ((in_section || at_accesses) && is_memory))
      add_memory(event, deed.address, deed.size, !only_reads(deed.kind));
  }
  if (event.touches.size() < 2) return;
  const auto key = [](const TouchedObject& touch) {
    return std::tuple(touch.object, touch.begin, touch.end, touch.kind);
  };
  std::ranges::sort(event.touches, {}, key);
  event.touches.erase(std::ranges::unique(event.touches).begin(), event.touches.end());
}

}  // namespace heddle::explore::native
