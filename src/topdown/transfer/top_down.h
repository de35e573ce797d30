// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The top-down, context-sensitive driver of the product domain, for one whole program.
//
// From main and from every thread it starts, functions are analysed in the context of their call string, each time from
// the exact state at the call; results are remembered by (context, entry state). Threads meet in SharedMemory. The
// driver repeats rounds over all thread roots until nothing shared grows any more, then walks once more over the stable
// states to collect GuardedAccesses. Sound for any number of threads and any scheduling under the assumptions of
// docs/assumptions.md; whatever it cannot treat becomes an Obstacle, never silence.
//
// Cost: contexts are not shared between call sites, so this is for programs of up to some ten thousand lines; the step
// budget ends it in an orderly way. (RELAY §3 and CAV07 §2 say what is tracked; the driver for large code is
// bottom-up.)
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "api/models/api_models.h"
#include "base/stop.h"
#include "flow/cfg.h"
#include "topdown/domain/guarded_access.h"
#include "topdown/domain/state.h"
#include "topdown/memory/memory.h"
#include "topdown/memory/shared_memory.h"
#include "topdown/transfer/size_bounds.h"

namespace heddle::topdown {

struct TopDownOptions {
  std::uint64_t step_budget = 40'000'000;
  std::size_t byte_budget = std::size_t{6} << 30;
  Stop stop;  ///< before the budgets are used up
  std::size_t disjuncts = 12;
  SizeBounds bounds;
  /// Assumption `undefined-functions`: a function without body and model only returns a value. Otherwise an obstacle.
  bool undefined_functions_only_return = false;
  std::set<std::string> without;  ///< assumptions that no proof may use
  /// Is shown the states at the beginning of each block, once they are final; may be empty.
  std::function<void(Universe&, ContextId, BlockId, std::span<const State>)> see_block;
};

struct TopDownResult {
  std::unique_ptr<threads::ThreadTable> threads;
  std::unique_ptr<Universe> universe;  ///< owns everything the accesses speak in
  std::vector<GuardedAccess> accesses;
  std::set<Obstacle> obstacles;
  std::set<LockName> false_locks;           ///< held, but they exclude nobody
  std::map<CellId, Interval> flags;         ///< what is in them once one of these numbers is: SharedMemory::lasting
  std::map<CellId, std::int64_t> counters;  ///< with their steps: SharedMemory::step
  std::set<FunctionId> reached;
  std::set<std::string> assumptions;
  std::uint64_t steps = 0;
  bool gave_up = false;  ///< a budget ran out: the accesses are not all
};

/// `main` must have a body.
TopDownResult analyse_top_down(const Program& program, const api::ApiModels& models, FunctionId main,
                               const TopDownOptions& options);

}  // namespace heddle::topdown
