// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// malloc and free. A heap object gets an address in the arena of the thread that asks, so addresses do not depend on
// how other threads are scheduled, and none is used twice: an access to freed memory is always found. Freeing is an
// event that conflicts with every access to the object.
//
//   p = malloc(8)      space for 8 bytes, none of them initialised; null if the Chooser says that it fails
//   free(p); free(p)   the second ends the run: memory is freed twice
//   free(p + 1)        ends it too: an address is freed that was not allocated
//
// Locks that lay in freed memory are forgotten with it.
#pragma once
#include "interpret/core/choices.h"
#include "interpret/core/space.h"
#include "interpret/state/sync_table.h"

namespace heddle::interpret {

class Heap {
 public:
  Heap(const MachineOptions& options, Memory& memory, Threads& threads, SyncTable& syncs, Recorder& recorder,
       Account& account, Choices& choices, Space& space)
      : options_(options),
        memory_(memory),
        threads_(threads),
        syncs_(syncs),
        recorder_(recorder),
        account_(account),
        choices_(choices),
        space_(space) {}

  /// Null if it fails: the Chooser says so (`may_fail`), or no machine has that much.
  Slot allocate(std::uint64_t size, std::uint64_t align, bool zeroed, bool may_fail);
  void release(const Slot& pointer);
  Slot reallocate(const Slot& pointer, std::uint64_t size);

 private:
  const MachineOptions& options_;
  Memory& memory_;
  Threads& threads_;
  SyncTable& syncs_;
  Recorder& recorder_;
  Account& account_;
  Choices& choices_;
  Space& space_;
};

}  // namespace heddle::interpret
