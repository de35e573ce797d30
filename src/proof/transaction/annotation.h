// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Annotation: what the judge claims of a model: where all threads can be at once, and what is true there then.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "proof/transaction/model.h"

namespace heddle::proof::transaction {

struct Hold {
  LockIndex lock = 0;
  bool is_shared = false;
  friend auto operator<=>(const Hold&, const Hold&) = default;
};

/// Where one thread is, with what it holds.
struct LocalState {
  static constexpr PointIndex not_started = ~PointIndex{0};
  PointIndex point = not_started;
  std::vector<Hold> holds = {};  ///< ascending
  friend auto operator<=>(const LocalState&, const LocalState&) = default;
};

/// One LocalState for each thread.
using Node = std::vector<LocalState>;

/// An edge of a thread: point, number among its edges.
using EdgeName = std::pair<PointIndex, std::size_t>;

using PlacePair = std::pair<Place, Place>;

/// form <= 0
using Constraint = LinearForm;

struct Annotation {
  struct Claim {
    std::vector<std::vector<Constraint>> parts;  ///< by thread: over shared variables and its own slots
    std::vector<ThreadIndex> movers;             ///< nobody else has to move there
  };
  std::map<Node, Claim> nodes;
  std::vector<std::set<EdgeName>> dead;  ///< by thread: edges that no execution takes
};

}  // namespace heddle::proof::transaction
