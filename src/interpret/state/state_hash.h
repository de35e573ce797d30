// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that stands for the state of a run: a search asks whether it has been there before.
#pragma once
#include "base/content_hash.h"
#include "interpret/state/sync_table.h"
#include "interpret/state/threads.h"

namespace heddle::interpret {

/// Of memory, threads and synchronisation objects: equal states have equal hashes. Costs a walk over all memory.
ContentHash state_hash(const Memory& memory, const SyncTable& syncs, const Threads& threads);

}  // namespace heddle::interpret
