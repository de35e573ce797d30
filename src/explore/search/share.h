// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Share: a part of a search that somebody else, or somebody later, can go on with. It is the stack of the search
// between two paths: the nodes from the root to where the next path leaves the last one. Some of them belong to the
// share; in front of these stand copies of nodes that belong to others, for the way there and for what is asked for at
// them.
//
//   nodes 0 1 2 3 4 5 6 7        first = 3: paths leave this share at nodes 3 to 7. A race that asks for something at
//         ───── ─────────        node 1 becomes a Wish, for the share that has node 1.
//         others   own
//
// shares/frontier.h takes a share apart and brings wishes to where they belong. A wish is a thread. Wakeup trees could
// not be shared like this: whether a sequence has to be added depends on what else was run from the node by then, and
// what a share left unsaid because of an earlier wish would be lost where that wish turned out to be needless.
#pragma once
#include <cstddef>
#include <optional>
#include <vector>

#include "explore/search/search_node.h"

namespace heddle::explore {

struct Share {
  std::vector<SearchNode> path;  ///< from the root; the event of each leads to the next
  std::size_t first = 0;         ///< nodes before this are copies of nodes of other shares
  std::size_t kept = 0;          ///< nodes before this stay even if nothing is left to run from them: others hang there
  bool is_begun = false;         ///< something was run; else it is the whole search
};

/// What a share asks for at a node of another one.
struct Wish {
  std::size_t depth = 0;
  ThreadIndex thread = 0;
};

/// What becomes of a share that was worked on for a while.
struct ShareReport {
  Share rest;
  std::vector<Wish> wishes;
  std::optional<std::size_t> quiet;  ///< from this node, of another share, on nothing is to be run any more
};

}  // namespace heddle::explore
