// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/core/enabling.h"

namespace heddle::interpret {
namespace {

bool is_free(const Sync* lock) { return lock == nullptr || lock->is_free(); }

}  // namespace

bool Enabling::is_enabled(ThreadIndex index) const {
  const Thread& thread = threads_[index];
  return thread.status != ThreadStatus::Finished && is_enabled(index, thread.op, thread.op_object, thread.op_lock);
}

bool Enabling::is_enabled(ThreadIndex index, OpKind op, Address object, Address lock) const {
  switch (op) {
    case OpKind::Lock:
    case OpKind::LockShared:
    case OpKind::BarrierLeave:
    case OpKind::SemWait:
    case OpKind::Once: return is_enabled(index, op, syncs_.find(object));
    case OpKind::Wake: {
      const Thread& thread = threads_[index];
      return (thread.was_signalled || thread.is_timed || options_.spurious_wakeups) && is_free(syncs_.find(lock));
    }
    case OpKind::Join: {
      const Thread& other = threads_[static_cast<ThreadIndex>(object)];
      return other.status == ThreadStatus::Finished || other.is_detached;  // detached: it fails at once
    }
    case OpKind::Section: return section_may_run(threads_[index].section, index);
    case OpKind::None: return false;
    default: return true;
  }
}

/// Of an operation on a synchronisation object; null: nobody has used it yet.
bool Enabling::is_enabled(ThreadIndex index, OpKind op, const Sync* row) const {
  switch (op) {
    case OpKind::Lock: return is_free(row) || (row->owner == index && row->type != LockType::Normal);
    case OpKind::LockShared: return row == nullptr || row->owner == no_thread;
    case OpKind::BarrierLeave: return row == nullptr || row->generation != threads_[index].wait_count;
    case OpKind::SemWait: return row != nullptr && row->count > 0;
    default: return row == nullptr || row->count != 1;  // Once
  }
}

bool Enabling::section_may_run(const SectionWait& wait, ThreadIndex thread) const {
  if (!wait.is_waiting) return true;
  if (wait.blocked != OpKind::None && is_enabled(thread, wait.blocked, wait.object, 0)) return true;
  return content_of(wait.reads) != wait.content;
}

std::uint64_t Enabling::content_of(const std::vector<TouchedBytes>& reads) const {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const TouchedBytes& touch : reads) {
    const ObjectId id = memory_.find(touch.address);
    if (id == 0) {
      hash = hash * 31 + 1;
      continue;
    }
    const Object& object = memory_.object(id);
    const std::uint64_t offset = touch.address - object.base;
    for (std::uint64_t i = offset; i < object.size && i < offset + touch.size; ++i)
      hash = (hash ^ object.data[i]) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace heddle::interpret
