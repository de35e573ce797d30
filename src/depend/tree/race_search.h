// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The race search of DFORCE (its Figure 7) on goal trees. A finding is a pair of accesses of one run that both feed a
// common ancestor, with what comes between them:
//
//   =ic1= x (L:16@func) (risk=1)            x is made of two readings of `a`; if `input` comes between them, of two
//   ├─ x1 …  =rd1= a (L:21@calc1)           different values
//   │           └─ =wo1= ≪ a (L:31@input)
//   └─ …     =rd1= a (L:26@calc2) …
//
// Groups: accesses of one variable; of redundant ones; and of variables that an entry makes of the same information
// (Figure 6: `a = c * 2; b = c + c;`), followed inside of one run of it along data. Each is a triple of risk/triples.h,
// so that masks, order and conditions are those of the search without a tree: reality and priority are in
// System::can_interrupt.
#pragma once
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "depend/risk/triples.h"
#include "depend/tree/goal_tree.h"

namespace heddle::depend {

struct FindingBetween {
  Triple triple;
  std::uint32_t node = 0;  ///< the access that comes between, in the tree
};

struct TreeFinding {
  std::uint32_t ancestor = 0, first = 0, second = 0;  ///< in the tree
  std::vector<FindingBetween> between;                ///< not empty
  NodeId source;  ///< two variables that are made of this; none: one variable, or redundant ones

  [[nodiscard]] const Triple& triple() const { return between.front().triple; }
};

/// Reads of two variables that an entry makes of the same information.
struct SameInformation {
  NodeId first, second, source;
};

/// What triples have to be looked for, before the search.
struct TreeCandidates {
  std::set<GlobalId> variables;  ///< on both sides of an interference
  std::vector<SameInformation> pairs;
};

/// Finds them in one tree after the other of a graph.
class CandidateFinder {
 public:
  explicit CandidateFinder(DependenceGraph& graph) : graph_(graph) {}
  TreeCandidates find(const GoalTree& tree);

 private:
  const std::vector<NodeId>& sources_of(NodeId write);

  DependenceGraph& graph_;
  std::unordered_map<NodeId, std::vector<NodeId>> sources_;  ///< only looked up
};

TripleOptions options_for(DependenceGraph& graph, const TreeCandidates& candidates, bool knows_synchronisation);

/// Triples by their first variable.
class TripleIndex {
 public:
  explicit TripleIndex(Triples triples);
  /// Variables with more triples than are looked for.
  [[nodiscard]] std::size_t cut() const { return triples_.cut; }
  [[nodiscard]] std::vector<const Triple*> of(const std::set<GlobalId>& variables) const;

 private:
  Triples triples_;
  std::map<GlobalId, std::vector<std::size_t>> by_variable_;
};

/// Those of `triples` that the tree connects; marks the tree.
std::vector<TreeFinding> search_races(DependenceGraph& graph, GoalTree& tree, const TreeCandidates& candidates,
                                      const TripleIndex& triples);

}  // namespace heddle::depend
