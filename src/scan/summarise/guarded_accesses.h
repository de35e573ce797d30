// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Third walk of a function: guarded accesses (RELAY §3.3). Every access with the locks and threads it happens under;
// those of callees that depend on their parameters in our terms.
//
//   void f(struct dev *d) { lock(&d->m); d->x = 1; g(d); unlock(&d->m); }      g writes Formal 0.y without a lock
//   group (d, ({d->m},{})): own: the write of d->x; inherited: the group of g, through the call
//
// Accesses to memory that nobody else knows yet are left out (publication.h). Accesses with the same memory, locks,
// threads and condition, and the same acquired since each lock, are one group. Linear in events and in the groups of
// callees.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "base/hash_slots.h"
#include "scan/summarise/lock_flow.h"
#include "scan/summarise/row_chains.h"

namespace heddle::scan {

/// A group with its accesses; names, locksets and states are those of the walks.
struct OpenGroup {
  AccessGroup group;
  std::uint32_t rows = 0;          ///< of its history, see HistoryTable::rows_of
  Chain own = {}, inherited = {};  ///< in the tables below
};

class GuardedAccesses {
 public:
  GuardedAccesses(const ScanInput& input, const FunctionBody& body, ValueNames& names, const Execution& done,
                  LockFlow& flow);

  std::vector<OpenGroup> groups;
  RowChains<OwnAccess> own;
  RowChains<InheritedAccesses> inherited;
  std::vector<SummaryCall> calls;    ///< those that are reached
  std::vector<SummarySpawn> spawns;  ///< all; without an entry if they are not reached

 private:
  void collect_block(std::uint32_t rank, const LockState& entry, Condition when);
  void add_access(const SymbolicEvent& event, const LockState& state, Condition when);
  void note_call(std::uint32_t call, const LockState& before, Condition when);
  [[nodiscard]] bool fits_parameter(const BoundCall& call, std::uint32_t index) const;
  void note_arguments(const BoundCall& bound, SummaryCall& call);
  void note_spawns(const SymbolicEvent& event, const LockState& before);
  void skip_spawns(const SymbolicEvent& event);
  void take_over(std::uint32_t call, const LockState& state, std::uint32_t position, Condition when);
  [[nodiscard]] std::optional<Condition> bound_condition(const BoundCall& call, Condition when, Condition here);
  [[nodiscard]] OpenGroup& group_of(NodeId node, const LockState& state, bool after_publication, Condition when);

  const ScanInput& in_;
  const FunctionBody& body_;
  ValueNames& names_;
  const Execution& done_;
  LockFlow& flow_;
  const bool has_variants_;
  std::size_t next_spawn_ = 0;         ///< the first one of an event that is still to come
  std::vector<Condition> conditions_;  ///< of blocks, by rank; empty if there are none
  HashSlots slots_;                    ///< groups, by what is one in them
};

}  // namespace heddle::scan
