// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number that stands for the state of a run: a search asks whether it has been there before. Everything counts that
// decides what the program can do next; not how it came there (instructions, output), nor where the next object will
// lie: a run that depends on addresses has a doubt (machine/doubts.h).
#pragma once
#include "base/content_hash.h"

namespace heddle::interpret {

class LiveSlots;
class Memory;
class SyncTable;
class Threads;
struct DecodedProgram;
struct LibraryState;

struct StateHash {
  ContentHash hash;         ///< equal states have equal hashes
  std::uint64_t bytes = 0;  ///< that were looked at, about: what it cost
};

struct StateParts {
  const Memory& memory;
  const SyncTable& syncs;
  const Threads& threads;
  const LibraryState& library;
  const DecodedProgram& code;
  const LiveSlots& live;
};

/// Costs a walk over all memory.
StateHash state_hash(const StateParts& state);

}  // namespace heddle::interpret
