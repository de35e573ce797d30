// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/goal_tree.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace heddle::depend {
namespace {

using Edges = std::vector<GraphEdge>;
using EdgesOf = std::function<const Edges&(NodeId)>;

class Grower {
 public:
  Grower(DependenceGraph& graph, EdgesOf edges, bool is_forward, const TreeLimits& limits)
      : graph_(graph), edges_(std::move(edges)), limits_(limits) {
    tree_.is_forward = is_forward;
  }

  GoalTree run(const std::string& name, const std::vector<NodeId>& roots) {
    tree_.root = name;
    if (roots.size() != 1) {
      tree_.nodes.push_back({});
      push(0, edges_to(roots));
    } else {
      todo_.push_back({TreeNode::none, {roots.front(), EdgeKind::Data}});
    }
    while (!todo_.empty()) {
      const Item item = todo_.back();
      todo_.pop_back();
      if (tree_.nodes.size() < limits_.nodes && !is_late())
        add(item);
      else if (item.parent != TreeNode::none)
        ++tree_.nodes[item.parent].cut;
    }
    for (const TreeNode& node : tree_.nodes) tree_.cut += node.cut;
    return std::move(tree_);
  }

 private:
  struct Item {
    std::uint32_t parent;
    GraphEdge edge;
  };

  static Edges edges_to(const std::vector<NodeId>& nodes) {
    Edges out;
    for (const NodeId node : nodes) out.push_back({node, EdgeKind::Data});
    return out;
  }

  bool is_late() {
    constexpr std::size_t every = 64;
    if (limits_.until && !tree_.is_out_of_time && tree_.nodes.size() % every == 0)
      tree_.is_out_of_time = std::chrono::steady_clock::now() > *limits_.until;
    return tree_.is_out_of_time;
  }

  void push(std::uint32_t parent, const Edges& edges) {
    for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) todo_.push_back({parent, *edge});
  }

  void add(const Item& item) {
    const auto index = static_cast<std::uint32_t>(tree_.nodes.size());
    TreeNode node{.node = item.edge.to, .parent = item.parent, .by = item.edge.kind};
    if (item.parent != TreeNode::none) {
      TreeNode& parent = tree_.nodes[item.parent];
      parent.children.push_back(index);
      node.depth = parent.depth + 1;
      node.runs = parent.runs + (item.edge.kind == EdgeKind::Earlier ? 1 : 0);
      const bool is_other = parent.node && graph_.frame(parent.node).entry != graph_.frame(node.node).entry;
      node.outer = is_other ? item.parent : parent.outer;
    }
    // A constant has nothing to show again.
    node.is_again = graph_[node.node].kind != NodeKind::Constant && is_expanded(node.node);
    tree_.nodes.push_back(node);
    expand(index);
  }

  void expand(std::uint32_t index) {
    const NodeId node = tree_.nodes[index].node;
    const bool is_again = tree_.nodes[index].is_again;
    const auto left = is_again ? impossible_.find(node) : impossible_.end();
    const Edges all = !is_again ? edges_(node) : left == impossible_.end() ? Edges() : left->second;
    if (all.empty()) {
      set_expanded(node);
      return;
    }
    // A node that is cut here may have room where it stands again.
    if (limits_.depth != 0 && tree_.nodes[index].depth >= limits_.depth) {
      tree_.nodes[index].cut = static_cast<std::uint32_t>(all.size());
      return;
    }
    set_expanded(node);
    Edges possible, impossible;
    for (const GraphEdge& edge : all) (is_possible(index, edge) ? possible : impossible).push_back(edge);
    if (is_again || !impossible.empty()) impossible_[node] = std::move(impossible);
    tree_.nodes[index].children.reserve(possible.size());
    push(index, possible);
  }

  [[nodiscard]] bool is_expanded(NodeId node) const {
    return node.index() < expanded_.size() && expanded_[node.index()];
  }
  void set_expanded(NodeId node) {
    if (node.index() >= expanded_.size()) expanded_.resize(graph_.size());
    expanded_[node.index()] = true;
  }

  /// A path that comes back to an entry comes to a place before the one it left; or to an earlier run, if it went over
  /// one.
  bool is_possible(std::uint32_t index, const GraphEdge& edge) const {
    if (edge.kind != EdgeKind::Interference) return true;
    const std::uint32_t entry = graph_.frame(edge.to).entry;
    for (std::uint32_t outer = tree_.nodes[index].outer; outer != TreeNode::none; outer = tree_.nodes[outer].outer) {
      const NodeId left = tree_.nodes[outer].node;
      if (graph_.frame(left).entry != entry) continue;
      if (tree_.nodes[index].runs > tree_.nodes[outer].runs) return true;
      const GraphNode &there = graph_[edge.to], &here = graph_[left];
      const CallPaths& paths = graph_.paths();
      return tree_.is_forward ? paths.may_precede(here.path, here.instruction, there.path, there.instruction)
                              : paths.may_precede(there.path, there.instruction, here.path, here.instruction);
    }
    return true;
  }

  DependenceGraph& graph_;
  EdgesOf edges_;
  TreeLimits limits_;
  GoalTree tree_;
  std::vector<Item> todo_;
  std::vector<bool> expanded_;                    ///< by node of the graph
  std::unordered_map<NodeId, Edges> impossible_;  ///< children that were impossible so far; only looked up
};

/// How deep a tree may be for the nodes that are allowed; 0: as deep as it is. Otherwise a tree that is too large would
/// be its first branch alone.
std::size_t depth_for(const EdgesOf& edges, const std::vector<NodeId>& roots, const TreeLimits& limits) {
  std::unordered_set<NodeId> seen(roots.begin(), roots.end());
  std::vector<NodeId> level = roots;
  std::size_t nodes = roots.size() + 1;
  for (std::size_t depth = 1; !level.empty(); ++depth) {
    std::vector<NodeId> next;
    for (const NodeId node : level) {
      const Edges& all = edges(node);
      nodes += all.size();
      if (nodes >= limits.nodes) return depth;
      for (const GraphEdge& edge : all)
        if (seen.insert(edge.to).second) next.push_back(edge.to);
    }
    if (limits.until && std::chrono::steady_clock::now() > *limits.until) return depth;
    level = std::move(next);
  }
  return 0;
}

GoalTree grow_evenly(DependenceGraph& graph, const EdgesOf& edges, bool is_forward, TreeLimits limits,
                     const std::string& name, const std::vector<NodeId>& roots) {
  const std::size_t depth = depth_for(edges, roots, limits);
  if (depth != 0) limits.depth = limits.depth == 0 ? depth : std::min(limits.depth, depth);
  return Grower(graph, edges, is_forward, limits).run(name, roots);
}

/// All that the sinks depend on, the other way round.
std::unordered_map<NodeId, Edges> dependents(DependenceGraph& graph, const std::vector<NodeId>& sinks,
                                             const TreeLimits& limits) {
  std::unordered_map<NodeId, Edges> found;
  std::vector<NodeId> todo = sinks;
  std::unordered_set<NodeId> seen(sinks.begin(), sinks.end());
  while (!todo.empty() && seen.size() < 20 * limits.nodes) {
    const NodeId node = todo.back();
    todo.pop_back();
    if (limits.until && std::chrono::steady_clock::now() > *limits.until) break;
    for (const GraphEdge& edge : graph.edges(node)) {
      found[edge.to].push_back({node, edge.kind});
      if (seen.insert(edge.to).second) todo.push_back(edge.to);
    }
  }
  return found;
}

void sort_by_source(const DependenceGraph& graph, Edges& edges) {
  const auto key = [&](const GraphEdge& edge) {
    const LocationId at = graph[edge.to].at;
    const Location place = at ? graph.program().locations[at] : Location{};
    return std::tuple(place.file, place.line, place.column, edge.to);
  };
  std::ranges::sort(edges, {}, key);
}

}  // namespace

TreeAncestors::TreeAncestors(const GoalTree& tree) : tree_(tree), jumps_(tree.nodes.size()) {
  const auto depth = [&](std::uint32_t node) { return tree.nodes[node].depth; };
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    const std::uint32_t parent = tree.nodes[i].parent, jump = jumps_[parent];
    const bool is_twice = depth(parent) - depth(jump) == depth(jump) - depth(jumps_[jump]);
    jumps_[i] = is_twice ? jumps_[jump] : parent;
  }
}

std::uint32_t TreeAncestors::common(std::uint32_t a, std::uint32_t b) const {
  const auto depth = [&](std::uint32_t node) { return tree_.nodes[node].depth; };
  if (depth(a) < depth(b)) std::swap(a, b);
  while (depth(a) > depth(b)) a = depth(jumps_[a]) >= depth(b) ? jumps_[a] : tree_.nodes[a].parent;
  while (a != b) {
    const bool is_apart = jumps_[a] != jumps_[b];
    a = is_apart ? jumps_[a] : tree_.nodes[a].parent;
    b = is_apart ? jumps_[b] : tree_.nodes[b].parent;
  }
  return a;
}

GoalTree grow_goal_tree(DependenceGraph& graph, const std::string& name, const std::vector<NodeId>& roots,
                        const TreeLimits& limits) {
  const auto edges = [&](NodeId node) -> const Edges& { return graph.edges(node); };
  return grow_evenly(graph, edges, false, limits, name, roots);
}

GoalTree grow_start_tree(DependenceGraph& graph, const std::string& name, const std::vector<NodeId>& roots,
                         const std::vector<NodeId>& sinks, const TreeLimits& limits) {
  auto all = dependents(graph, sinks, limits);
  for (auto& [node, edges] : all) sort_by_source(graph, edges);
  const auto edges = [&](NodeId node) -> const Edges& { return all[node]; };
  return grow_evenly(graph, edges, true, limits, name, roots);
}

}  // namespace heddle::depend
