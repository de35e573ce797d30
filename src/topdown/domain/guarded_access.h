// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GuardedAccess: one access to memory that several threads may reach, with everything that may keep it apart from
// another one: where it goes, which locks are surely held, which threads were started or have ended by then. Its phase
// (created, joined) and its locks come from the thread's entry, so they are absolute here; the bottom-up driver will
// keep the same record relative to a function's entry.
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "locks/hold.h"
#include "program/names/access_kind.h"
#include "topdown/domain/universe.h"

namespace heddle::topdown {

/// A lock surely held at an access, in the terms in which two threads can compare theirs.
struct HeldLock {
  enum class Kind : std::uint8_t {
    Exact,     ///< `object` + `offset`, one concrete lock
    Relative,  ///< at the accessed address plus `offset`: `p->lock` for `p->x`
    Indexed,   ///< `object` + factor·i + offset, when the access is at its object + access_factor·i + access_offset
    Frozen,    ///< a form over numbers that are the same for every thread
  };
  Kind kind = Kind::Exact;
  bool shared = false;
  ObjectId object;
  std::int64_t offset = 0;
  std::int64_t factor = 0;
  std::int64_t access_factor = 0;
  std::int64_t access_offset = 0;
  FormId form;  ///< Frozen; otherwise for printing
  friend auto operator<=>(const HeldLock&, const HeldLock&) = default;
  friend locks::Mode mode_of(const HeldLock& held) {
    return held.shared ? locks::Mode::Shared : locks::Mode::Exclusive;
  }
};

/// Since the thread took `held`, which it has held ever since, it took `taken`: one entry of its acquisition history.
struct TakenSince {
  HeldLock held;
  HeldLock taken;
  friend auto operator<=>(const TakenSince&, const TakenSince&) = default;
};

/// An access to what the next instance of `thread` will be given, at this distance from its argument.
struct SlotOfNext {
  ThreadId thread;
  std::int64_t distance = 0;
  friend auto operator<=>(const SlotOfNext&, const SlotOfNext&) = default;
};

/// The address is factor·i + rest with a number i that no other thread of the team has; `low` <= rest <= `high`, in
/// numbers that every thread knows. Factor 0: i is the number `only`, and of the address nothing is said.
struct OwnIndex {
  std::uint32_t label = 0;  ///< of the share that i is in: TeamLabels
  std::int64_t factor = 0;
  std::int64_t only = 0;
  ThreadId owner;  ///< of factor 0: who has i, if the access is made by a thread that works for it
  FormId low, high;
  friend auto operator<=>(const OwnIndex&, const OwnIndex&) = default;
};

/// The address is factor·t + rest with a number t that a counter dealt out to this thread alone; `low` <= rest <=
/// `high`, in numbers that every thread knows.
struct OwnTicket {
  CellId counter;
  std::int64_t factor = 0;
  FormId low, high;
  friend auto operator<=>(const OwnTicket&, const OwnTicket&) = default;
};

struct GuardedAccess {
  ThreadId thread;
  ContextId context;
  std::uint32_t instruction = 0;
  AccessKind kind = AccessKind::Read;
  bool is_atomic = false;
  Target target;
  std::uint64_t size = 0;  ///< bytes from each place on
  FormId address;
  std::int64_t argument_factor = 0;  ///< address = argument_factor · (the thread's argument) + argument_distance, plus
  std::int64_t argument_distance = 0;  ///< the address of the object unless the factor is 1 and the argument a pointer
  std::vector<SlotOfNext> next_slots;
  FormId
      lowest;  ///< bounds of the address over numbers every thread knows (frozen cells, addresses) and the thread's own
  FormId highest;                        ///< argument; none if there are none
  std::vector<HeldLock> locks;           ///< sorted
  std::vector<TakenSince> history = {};  ///< sorted
  std::vector<OwnIndex> own;
  std::vector<OwnTicket> tickets = {};
  flow::MapId teams = 0;
  flow::MapId created = 0;
  flow::MapId joined = 0;
  flow::MapId seen = 0;       ///< what flags held at some time before, since others may run: cell -> Info
  flow::MapId flags_now = 0;  ///< what they hold, as long as the locks are held
  friend auto operator<=>(const GuardedAccess&, const GuardedAccess&) = default;
};

/// Something met on the way that keeps the analysis from a proof.
struct Obstacle {
  ContextId context;
  std::uint32_t instruction = 0;
  std::string what;
  friend auto operator<=>(const Obstacle&, const Obstacle&) = default;
};

}  // namespace heddle::topdown
