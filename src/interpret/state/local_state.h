// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one thread alone consists of, and whether others could tell that it took some steps: a search uses both to
// notice a thread that spins. It spins if its own state is one that it had before and nobody else could tell that it
// took the steps in between:
//
//   while (!atomic_load(&flag)) ;       same pc, same registers, nothing written: it waits for another thread
//   while (!atomic_load(&flag)) ++n;    another n each time: never the same state
//
// Writing what was there already is no change. A write to an object of the stack that nobody else knows is part of the
// thread's own state.
#pragma once
#include <optional>
#include <span>

#include "base/content_hash.h"
#include "interpret/state/state_hash.h"
#include "interpret/state/sync_table.h"
#include "interpret/state/threads.h"

namespace heddle::interpret {

/// Of what the thread alone knows and may still read; nothing if that is too much to look at after each step. See
/// Machine::local_state.
std::optional<ContentHash> local_state(const StateParts& state, ThreadIndex thread);

/// Whether the changes in `log` and the step's events are seen from outside the thread's own state. See
/// Machine::left_traces.
bool left_traces(ThreadIndex thread, std::span<const LogEntry> log, const Memory& memory, std::span<const Event> events,
                 bool takes_locks);

}  // namespace heddle::interpret
