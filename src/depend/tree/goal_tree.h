// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GoalTree: the variable dependence tree of DFORCE. A root variable, below it what it depends on; each node of the
// graph is expanded where it stands leftmost, and is a leaf (`x'`) wherever it stands again.
//
//   S ← A, B    A ← D    B ← D            S
//                                         ├─ A
//                                         │  └─ D
//                                         └─ B
//                                            └─ D'
//
// Children are in the order of the source, control behind data. A start tree is the same the other way round: below a
// variable, what depends on it.
//
// Interference is not transitive (Krinke, "Static slicing of threaded programs"): a path that leaves a run of an entry
// and comes back to it must come to a place that may be before the one it left. Children that are impossible on the way
// to the first occurrence of a node, and possible on that to a later one, stand below the later one.
//
// Cost: the nodes of the graph that the root needs, each once. Limits cut: what was not followed is counted where it
// was cut.
#pragma once
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "depend/graph/dependence_graph.h"

namespace heddle::depend {

struct TreeLimits {
  std::size_t depth = 0;  ///< 0: none
  std::size_t nodes = 50000;
  std::optional<std::chrono::steady_clock::time_point> until = {};
};

/// Part of a finding: what a node is in it. Written `=ic1=`, `=rd1=`, `=wo1=`.
struct TreeMark {
  enum class What : std::uint8_t { Ancestor, Read, Write };
  What what = What::Ancestor;
  std::size_t finding = 0;  ///< from 0
  friend auto operator<=>(const TreeMark&, const TreeMark&) = default;
};

struct TreeNode {
  static constexpr std::uint32_t none = ~0U;

  NodeId node = {};             ///< none: a root that stands for several definitions
  std::uint32_t parent = none;  ///< in GoalTree::nodes
  std::uint32_t depth = 0;
  EdgeKind by = EdgeKind::Data;  ///< how its parent depends on it
  bool is_again = false;         ///< expanded further left
  std::uint32_t cut = 0;         ///< children that a limit left out
  std::vector<std::uint32_t> children = {};
  std::vector<TreeMark> marks = {};
  std::uint32_t outer = none;  ///< the nearest node above of another entry
  std::uint32_t runs = 0;      ///< edges above that lead to an earlier run
};

struct GoalTree {
  std::string root;  ///< as people name it
  bool is_forward = false;
  std::vector<TreeNode> nodes;  ///< in the order in which a person reads them, the root first
  std::size_t cut = 0;          ///< of all nodes
  bool is_out_of_time = false;
};

/// Answers in the logarithm of the depth.
class TreeAncestors {
 public:
  explicit TreeAncestors(const GoalTree& tree);
  /// The closest node that both are, or stand below.
  [[nodiscard]] std::uint32_t common(std::uint32_t a, std::uint32_t b) const;

 private:
  const GoalTree& tree_;
  std::vector<std::uint32_t> jumps_;  ///< of each node, to one further up (Myers, "An applicative random-access stack")
};

/// `roots`: definitions of one variable. Several stand below a root of their own.
GoalTree grow_goal_tree(DependenceGraph& graph, const std::string& name, const std::vector<NodeId>& roots,
                        const TreeLimits& limits);

/// Below the roots what depends on them, of all that `sinks` depend on.
GoalTree grow_start_tree(DependenceGraph& graph, const std::string& name, const std::vector<NodeId>& roots,
                         const std::vector<NodeId>& sinks, const TreeLimits& limits);

}  // namespace heddle::depend
