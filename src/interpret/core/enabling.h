// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When an operation can be carried out. A thread that stands before a lock which another thread holds, a semaphore at
// zero or a join of a thread that still runs is not enabled: a scheduler must not step it. If no thread is enabled, the
// program is deadlocked.
//
//   lock m        m is free, or the thread holds it and m is recursive or checks errors
//   wake          the thread was signalled, or its wait may end by itself, and the lock is free again
//   section       it was not tried yet, or something that it read has changed since
//
// A whole atomic section is one operation. One that met a false assumption, or would have had to wait, was undone; what
// it had read is kept with a hash of the content, and it is tried again when the content is another.
#pragma once
#include "interpret/state/sync_table.h"
#include "interpret/state/threads.h"

namespace heddle::interpret {

class Enabling {
 public:
  Enabling(const MachineOptions& options, Memory& memory, const Threads& threads, const SyncTable& syncs)
      : options_(options), memory_(memory), threads_(threads), syncs_(syncs) {}

  /// `object`: the synchronisation object; Join: the other thread. `lock`: what Wake takes back.
  [[nodiscard]] bool is_enabled(ThreadIndex thread, OpKind op, Address object, Address lock) const;
  /// The operation that the thread stands before.
  [[nodiscard]] bool is_enabled(ThreadIndex thread) const;
  /// A hash of the bytes at these places.
  [[nodiscard]] std::uint64_t content_of(const std::vector<TouchedBytes>& reads) const;

 private:
  [[nodiscard]] bool is_enabled(ThreadIndex thread, OpKind op, const Sync* row) const;
  [[nodiscard]] bool section_may_run(const SectionWait& wait, ThreadIndex thread) const;

  const MachineOptions& options_;
  Memory& memory_;
  const Threads& threads_;
  const SyncTable& syncs_;
};

}  // namespace heddle::interpret
