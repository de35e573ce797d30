// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accesses of one function with what is held there at least and at most, relative to its entry: what is needed to
// say that one access is as exposed as another (locks/consistency.h, must_be_weaker).
//
//   lock(a); x = 1; if (c) lock(b); x = 2;      x = 1: {a} … {a}      x = 2: {a} … {a, b}
//
// The lower bounds are those of LockFlow. The upper ones are made here, from the events of the function itself: a call
// that may take or give back locks leaves no bound, and neither does a lock whose name may mean another later on. Made
// for functions that are asked about, and not kept.
#pragma once
#include <cstdint>
#include <vector>

#include "locks/lock_state.h"
#include "scan/summarise/lock_flow.h"

namespace heddle::scan {

struct BoundedAccess {
  std::uint32_t rank = 0;  ///< of its block
  std::uint32_t instruction = 0;
  std::uint32_t size = 0;
  AccessKind kind = AccessKind::Read;
  bool is_atomic = false;
  bool is_bounded = false;  ///< `most` says something, and `where` is one place as long as the function runs
  Lvalue where;
  locks::LockState<Lvalue> least;
  locks::LockState<Lvalue, locks::Bound::Upper> most;
};

struct AccessBounds {
  std::vector<BoundedAccess> accesses;                   ///< in the order of events; of blocks that are reached
  std::vector<std::vector<std::uint32_t>> predecessors;  ///< by rank: blocks that are reached
};

[[nodiscard]] AccessBounds bound_accesses(const FunctionBody& body, const NodeTable& nodes, const Execution& done,
                                          LockFlow& flow);

}  // namespace heddle::scan
