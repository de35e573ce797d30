// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/race_search.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

namespace heddle::depend {
namespace {

constexpr std::size_t most_sources = 64, most_readers = 16, most_occurrences = 8, most_pairs = 1000;

/// The global variables that a node reads or writes; `variable`: the first of them.
std::vector<GlobalId> variables_of(DependenceGraph& graph, NodeId id) {
  const GraphNode& node = graph[id];
  std::vector<GlobalId> found;
  const FunctionId function = graph.frame(id).function;
  for (const AccessSite& site : access_sites(graph.program(), graph.program().functions[function], node.instruction))
    if (writes(site.kind) == (node.kind == NodeKind::Write) || site.kind == AccessKind::Update)
      for (const Cell& cell : graph.cells().touched(function, site))
        if (cell.global) found.push_back(cell.global);
  return found;
}

bool is_volatile_read(const DependenceGraph& graph, NodeId id) {
  return graph[id].kind == NodeKind::Read &&
         graph.function(id).instructions[graph[id].instruction].has_flag(Instruction::is_volatile);
}

/// A definition that is made of anything but constants, what comes from outside, and inputs.
bool is_information(DependenceGraph& graph, NodeId id) {
  const GraphNode& node = graph[id];
  if (node.kind == NodeKind::Outside || is_volatile_read(graph, id)) return true;
  if (!node.is_definition()) return false;
  return std::ranges::any_of(graph.edges(id), [&](const GraphEdge& edge) {
    return edge.kind == EdgeKind::Data && graph[edge.to].kind != NodeKind::Constant;
  });
}

using AccessPlace = std::tuple<FunctionId, std::size_t, bool>;  ///< an access: does it write?

class TreeSearch {
 public:
  TreeSearch(DependenceGraph& graph, GoalTree& tree, const TreeCandidates& candidates)
      : graph_(graph), tree_(tree), ancestors_(tree) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      if (!tree.nodes[i].node) continue;
      const GraphNode& node = graph[tree.nodes[i].node];
      if (node.kind == NodeKind::Read || node.kind == NodeKind::Write)
        places_[{graph.frame(tree.nodes[i].node).function, node.instruction, node.kind == NodeKind::Write}].push_back(
            i);
    }
    for (const SameInformation& one : candidates.pairs)
      same_.try_emplace(std::minmax(place_of(one.first), place_of(one.second)), one.source);
  }

  std::vector<TreeFinding> run(const std::vector<const Triple*>& triples) {
    for (const Triple* triple : triples) look_at(*triple);
    for (std::size_t i = 0; i < found_.size(); ++i) mark(found_[i], i);
    return std::move(found_);
  }

 private:
  [[nodiscard]] AccessPlace place_of(NodeId id) const {
    return {graph_.frame(id).function, graph_[id].instruction, graph_[id].kind == NodeKind::Write};
  }

  [[nodiscard]] const std::vector<std::uint32_t>& nodes_at(const Access& access, bool writes) const {
    static const std::vector<std::uint32_t> none;
    const auto found = places_.find({access.function, access.instruction, writes});
    return found == places_.end() ? none : found->second;
  }

  [[nodiscard]] bool is_redundant(GlobalId a, GlobalId b) const {
    const auto holds = [](const std::vector<NamedVariable>& group, GlobalId one) {
      return std::ranges::find(group, one, &NamedVariable::global) != group.end();
    };
    return std::ranges::any_of(graph_.system().redundant(),
                               [&](const auto& group) { return holds(group, a) && holds(group, b); });
  }

  void look_at(const Triple& triple) {
    const auto &firsts = nodes_at(triple.first, triple.first_writes),
               &seconds = nodes_at(triple.second, triple.second_writes),
               &others = nodes_at(triple.between, triple.between_writes);
    if (firsts.empty() || seconds.empty() || others.empty()) return;
    NodeId source;
    if (triple.is_pair() && !is_redundant(triple.first.variable, triple.second.variable)) {
      const auto made =
          same_.find(std::minmax(AccessPlace{triple.first.function, triple.first.instruction, triple.first_writes},
                                 AccessPlace{triple.second.function, triple.second.instruction, triple.second_writes}));
      if (made == same_.end()) return;
      source = made->second;
    }
    TreeFinding finding{.between = {}, .source = source};
    if (!choose(firsts, seconds, finding)) return;
    const std::uint32_t other = nearest(others, finding);
    if (other != TreeNode::none) add(finding, {triple, other});
  }

  /// The two occurrences with the closest common ancestor.
  bool choose(const std::vector<std::uint32_t>& firsts, const std::vector<std::uint32_t>& seconds,
              TreeFinding& finding) const {
    bool is_found = false;
    for (std::size_t i = 0; i < firsts.size() && i < most_occurrences; ++i)
      for (std::size_t k = 0; k < seconds.size() && k < most_occurrences; ++k) {
        const NodeId a = tree_.nodes[firsts[i]].node, b = tree_.nodes[seconds[k]].node;
        if (a == b || graph_.frame(a).entry != graph_.frame(b).entry) continue;
        const std::uint32_t ancestor = ancestors_.common(firsts[i], seconds[k]);
        if (is_found && tree_.nodes[ancestor].depth <= tree_.nodes[finding.ancestor].depth) continue;
        is_found = true;
        finding.ancestor = ancestor;
        finding.first = firsts[i];
        finding.second = seconds[k];
      }
    return is_found;
  }

  /// The occurrence that one of the two has an edge to, or from.
  [[nodiscard]] std::uint32_t nearest(const std::vector<std::uint32_t>& others, const TreeFinding& finding) const {
    std::uint32_t found = TreeNode::none;
    for (const std::uint32_t other : others) {
      const std::uint32_t parent = tree_.nodes[other].parent;
      const bool is_edge = parent == finding.first || parent == finding.second ||
                           tree_.nodes[finding.first].parent == other || tree_.nodes[finding.second].parent == other;
      if (is_edge) return other;
      if (found == TreeNode::none) found = other;
    }
    return found;
  }

  /// One finding for two lines, whoever comes between.
  void add(const TreeFinding& finding, const FindingBetween& between) {
    const auto line = [&](std::uint32_t node, bool writes) {
      const NodeId id = tree_.nodes[node].node;
      const LocationId at = graph_[id].at;
      const std::uint32_t number = at ? graph_.program().locations[at].line : 0;
      return AccessPlace{graph_.frame(id).function, number, writes};
    };
    const AccessPlace one = line(finding.first, between.triple.first_writes);
    const AccessPlace other = line(finding.second, between.triple.second_writes);
    const Variables names = std::minmax(between.triple.first.variable, between.triple.second.variable);
    const auto [at, is_new] = numbers_.try_emplace({names, std::minmax(one, other)}, found_.size());
    if (is_new) found_.push_back(finding);
    std::vector<FindingBetween>& all = found_[at->second].between;
    const auto is_same = [&](const FindingBetween& known) {
      return tree_.nodes[known.node].node == tree_.nodes[between.node].node;
    };
    if (std::ranges::none_of(all, is_same)) all.push_back(between);
  }

  void mark(const TreeFinding& finding, std::size_t number) {
    const auto add = [&](std::uint32_t node, TreeMark::What what) {
      auto& marks = tree_.nodes[node].marks;
      if (std::ranges::find(marks, TreeMark{what, number}) == marks.end()) marks.push_back({what, number});
    };
    const auto access = [](bool writes) { return writes ? TreeMark::What::Write : TreeMark::What::Read; };
    add(finding.ancestor, TreeMark::What::Ancestor);
    add(finding.first, access(finding.triple().first_writes));
    add(finding.second, access(finding.triple().second_writes));
    for (const FindingBetween& between : finding.between) {
      add(between.node, access(between.triple.between_writes));
      // The other ends of the edges: the same access stands below both readings.
      for (const std::uint32_t own : {finding.first, finding.second})
        for (const std::uint32_t child : tree_.nodes[own].children)
          if (tree_.nodes[child].node == tree_.nodes[between.node].node)
            add(child, access(between.triple.between_writes));
    }
  }

  DependenceGraph& graph_;
  GoalTree& tree_;
  TreeAncestors ancestors_;
  std::map<AccessPlace, std::vector<std::uint32_t>> places_;
  std::map<std::pair<AccessPlace, AccessPlace>, NodeId> same_;
  std::vector<TreeFinding> found_;
  using Variables = std::pair<GlobalId, GlobalId>;
  std::map<std::pair<Variables, std::pair<AccessPlace, AccessPlace>>, std::size_t> numbers_;  ///< in found_
};

}  // namespace

/// What a write is made of in its own run, the nearest first.
const std::vector<NodeId>& CandidateFinder::sources_of(NodeId write) {
  const auto [at, is_new] = sources_.try_emplace(write);
  std::vector<NodeId>& found = at->second;
  if (!is_new) return found;
  std::vector<NodeId> all{write};
  std::unordered_set<NodeId> seen{write};
  const std::uint32_t entry = graph_.frame(write).entry;
  for (std::size_t i = 0; i < all.size() && all.size() < most_sources; ++i) {
    if (is_information(graph_, all[i])) found.push_back(all[i]);
    for (const GraphEdge& edge : graph_.edges(all[i]))
      if (edge.kind == EdgeKind::Data && graph_.frame(edge.to).entry == entry && seen.insert(edge.to).second)
        all.push_back(edge.to);
  }
  return found;
}

TreeCandidates CandidateFinder::find(const GoalTree& tree) {
  TreeCandidates found;
  std::map<NodeId, std::vector<NodeId>> readers;  // of what a source was made into
  for (const TreeNode& one : tree.nodes) {
    if (!one.node || graph_[one.node].kind != NodeKind::Read) continue;
    for (const std::uint32_t child : one.children) {
      if (tree.nodes[child].by != EdgeKind::Interference) continue;
      const auto variables = variables_of(graph_, one.node);
      found.variables.insert(variables.begin(), variables.end());
      for (const NodeId source : sources_of(tree.nodes[child].node))
        if (auto& all = readers[source]; all.size() < most_readers && std::ranges::find(all, one.node) == all.end())
          all.push_back(one.node);
    }
  }
  for (const auto& [source, all] : readers)
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = i + 1; k < all.size() && found.pairs.size() < most_pairs; ++k)
        if (graph_.frame(all[i]).entry == graph_.frame(all[k]).entry &&
            variables_of(graph_, all[i]) != variables_of(graph_, all[k]))
          found.pairs.push_back({all[i], all[k], source});
  return found;
}

TripleOptions options_for(DependenceGraph& graph, const TreeCandidates& candidates, bool knows_synchronisation) {
  TripleOptions options{
      .tells_accesses_apart = true, .knows_synchronisation = knows_synchronisation, .only = candidates.variables};
  std::set<std::pair<GlobalId, GlobalId>> pairs;
  for (const SameInformation& one : candidates.pairs)
    for (const GlobalId a : variables_of(graph, one.first))
      for (const GlobalId b : variables_of(graph, one.second))
        if (a != b) pairs.insert(std::minmax(a, b));
  options.same.assign(pairs.begin(), pairs.end());
  return options;
}

TripleIndex::TripleIndex(Triples triples) : triples_(std::move(triples)) {
  for (std::size_t i = 0; i < triples_.all.size(); ++i) by_variable_[triples_.all[i].first.variable].push_back(i);
}

std::vector<const Triple*> TripleIndex::of(const std::set<GlobalId>& variables) const {
  std::vector<const Triple*> found;
  for (const GlobalId variable : variables)
    if (const auto some = by_variable_.find(variable); some != by_variable_.end())
      for (const std::size_t i : some->second) found.push_back(&triples_.all[i]);
  return found;
}

std::vector<TreeFinding> search_races(DependenceGraph& graph, GoalTree& tree, const TreeCandidates& candidates,
                                      const TripleIndex& triples) {
  return TreeSearch(graph, tree, candidates).run(triples.of(candidates.variables));
}

}  // namespace heddle::depend
