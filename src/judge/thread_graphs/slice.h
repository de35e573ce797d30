// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slice: the part of a model that may decide whether two accesses are next at once: the guards that the accesses depend
// on, the variables in these, who writes them, and the locks held there. Everything else of the threads goes, and with
// it most of their points.
//
//   lock(&m); if (state == IDLE) { state = BUSY; unlock(&m); buffer[k++] = c; … }
//
//   of `buffer[k]`: the test of `state`, its writes, and `m`; not `k`, not what comes before
//
// Every execution of the model is one of the slice: a guard that goes lets more pass, a variable that goes may be
// anything.
#pragma once
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

struct SliceOptions {
  std::set<VariableIndex> only = {};  ///< shared variables that may be in it; empty: all
  unsigned depth = 0;  ///< guards that those writes depend on which the guards so far read, so many times
  bool has_addresses = false;
  bool has_all_guards = false;  ///< also those that decide nothing, or only by numbers that count
};

/// What all slices of a model ask of it; it points into the model.
struct SliceGround {
  explicit SliceGround(const Model& model);
  struct OfThread {
    std::vector<std::vector<PointIndex>> before;  ///< by point: where one comes from
    std::vector<bool> goes_round;                 ///< by point: it may be on a cycle
    std::set<VariableIndex> telling;              ///< values made of shared ones, or constants on some way
    std::map<VariableIndex, std::vector<std::pair<PointIndex, const Act*>>> made;  ///< from where it is set
  };
  std::vector<OfThread> threads;
};

/// The shared variables that would be in the slice.
[[nodiscard]] std::set<VariableIndex> variables_of_slice(const Model& model, const SliceGround& ground,
                                                         const PlacePair& pair, const SliceOptions& options);
/// Of a model that is not finished, and has no unruly locks (movers.h); nor is the slice finished.
[[nodiscard]] Model slice(const Model& model, const SliceGround& ground, const PlacePair& pair,
                          const SliceOptions& options);

}  // namespace heddle::judge::transaction
