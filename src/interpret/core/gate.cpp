// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/gate.h"

#include <algorithm>

namespace heddle::interpret {
namespace {

bool has_object(OpKind op) {
  switch (op) {
    case OpKind::Spawn:
    case OpKind::Join:
    case OpKind::TryJoin:
    case OpKind::Detach:
    case OpKind::Exit:
    case OpKind::Input:
    case OpKind::Section: return false;
    default: return true;
  }
}

}  // namespace

/// How often a thread holds its own lock is nobody else's affair.
bool Gate::is_nested(OpKind op, Address object) const {
  const Sync* row = syncs_.find(object);
  if (row == nullptr || row->owner != threads_.current()) return false;
  return (op == OpKind::Lock && row->type != LockType::Normal) || op == OpKind::TryLock ||
         (op == OpKind::Unlock && row->count > 1);
}

bool Gate::admit(OpKind op, Address object, Address lock) {
  if (is_rehearsal_) return true;
  if (section_depth_ > 0) {
    if (!enabling_.is_enabled(threads_.current(), op, object, lock)) throw SectionFailed{op, object};
    return true;
  }
  if (is_granted_) {
    is_granted_ = false;
    return true;
  }
  if (op != OpKind::Input && is_alone() && enabling_.is_enabled(threads_.current(), op, object, lock)) return true;
  Thread& thread = threads_.running();
  thread.op = op;
  thread.op_object = object;
  thread.op_lock = lock;
  thread.touch_count = 0;
  if (has_object(op) && !is_nested(op, object)) thread.touches[thread.touch_count++] = {object, 0, true, false, true};
  if (lock != 0) thread.touches[thread.touch_count++] = {lock, 0, true, false, true};
  return false;
}

bool Gate::admit_atomic(OpKind op, Address address, std::uint32_t size) {
  if (admit(op, address)) return true;
  Thread& thread = threads_.running();
  thread.touches[0] = {address & memory_.address_mask(), size, op != OpKind::AtomicRead, true, false};
  thread.touch_count = 1;
  return false;
}

bool Gate::stop_before_access(const Slot& pointer, std::uint64_t size, bool is_write) {
  if (section_depth_ > 0) return false;
  if (is_granted_) {
    is_granted_ = false;
    return false;
  }
  if (is_alone()) return false;
  const Address address = pointer.bits & memory_.address_mask();
  const ObjectId id = pointer.object != 0 ? pointer.object : memory_.find(address);
  if (id == 0 || !memory_.object(id).is_shared) return false;
  Thread& thread = threads_.running();
  thread.op = is_write ? OpKind::Write : OpKind::Read;
  thread.op_object = pointer.bits;
  thread.touches[0] = {address, static_cast<std::uint32_t>(size), is_write, false, false};
  thread.touch_count = 1;
  return true;
}

void Gate::stop_before_touches(OpKind op, std::span<const TouchedBytes> touches) {
  Thread& thread = threads_.running();
  thread.op = op;
  thread.op_object = touches.front().address;
  std::ranges::copy(touches, thread.touches.begin());
  thread.touch_count = static_cast<std::uint8_t>(touches.size());
}

}  // namespace heddle::interpret
