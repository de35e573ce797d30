// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Execution: what symbolic execution of one function found (symbolic_execution.h), handed over to the walks behind it.
//
//   void f(struct dev *d) { lock(&d->m); d->x = 1; g(d); unlock(&d->m); }
//   events: Acquire d->m, Access d->x, Call 0, Release d->m         calls: 0: g, Formal 0 is `d`
//
// Events stand in the order of blocks (by rank) and of instructions within them. Names belong to ValueNames.
#pragma once
#include <cstdint>
#include <forward_list>
#include <optional>
#include <utility>
#include <vector>

#include "locks/relative_lockset.h"
#include "scan/execute/bound_call.h"
#include "scan/execute/branch_test.h"
#include "scan/execute/known_stores.h"
#include "scan/execute/publication.h"
#include "scan/execute/started_threads.h"

namespace heddle::scan {

struct SymbolicEvent {
  enum class Kind : std::uint8_t { Access, Acquire, Release, Wait, Call, Spawn, Join, Detach, Move };
  Kind kind = Kind::Access;
  AccessKind access = AccessKind::Read;
  bool is_atomic = false;                        ///< Access
  bool is_shared = false;                        ///< Acquire
  std::uint8_t address = OwnAccess::no_operand;  ///< Access: see OwnAccess
  ResultSign sign = ResultSign::Always;          ///< Acquire: the result with which the lock was taken
  Cursor at = {};
  std::uint32_t size = 0;    ///< Access: bytes; 0: not known
  std::uint32_t call = 0;    ///< Call: in Execution::calls
  std::uint32_t thread = 0;  ///< Spawn: in Execution::threads
  Lvalue where = {};         ///< memory, lock (of a Wait invalid: any) or handle of a thread
  MemberKey key = {};        ///< Access
  [[nodiscard]] locks::Mode lock_mode() const { return is_shared ? locks::Mode::Shared : locks::Mode::Exclusive; }
};

/// A return, with what it returns and leaves in memory.
struct ReturnPoint {
  std::uint32_t rank = 0;
  Operand value;
  bool has_value = false;
  SymbolicValue symbolic;
  StoreMap stores;
};

struct Execution {
  Execution(const ScanInput& input, const FunctionBody& body, ValueNames& names)
      : block_events(body.block_count()),
        tests(body.block_count()),
        publication(input, body, names, at),
        threads(body, names, calls) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  Cursor at;  ///< while the function is walked
  std::vector<SymbolicEvent> events;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> block_events;  ///< by rank: first, end
  std::vector<BoundCall> calls;
  std::forward_list<std::vector<Operand>> callback_arguments;  ///< that `calls` point into
  std::vector<std::optional<BranchTest>> tests;                ///< by rank
  std::vector<ReturnPoint> returns;
  std::vector<SummarySpawn> spawns;  ///< in the order of events
  Publication publication;
  StartedThreads threads;
  bool backward_opaque = false;   ///< calls backward in a component hand on no accesses
  std::uint64_t overwriting = 0;  ///< see FunctionSummary
  bool has_lock_events = false, has_thread_events = false, may_spawn = false;
  bool has_history_events = false;  ///< waits, and calls that only histories tell of

  /// At the cursor.
  SymbolicEvent& add(SymbolicEvent::Kind kind) {
    SymbolicEvent& event = events.emplace_back();
    event.kind = kind;
    event.at = at;
    return event;
  }
};

}  // namespace heddle::scan
