// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/finding_words.h"

#include <algorithm>

#include "depend/risk/triple_words.h"
#include "depend/system/entry_listing.h"

namespace heddle::depend {
namespace {

/// The innermost function that both accesses are made in, or below.
Interval interval_of(const DependenceGraph& graph, NodeId first, NodeId second) {
  struct End {
    PathId path;
    std::size_t instruction;
  };
  const CallPaths& paths = graph.paths();
  End a{graph[first].path, graph[first].instruction}, b{graph[second].path, graph[second].instruction};
  while (a.path != b.path) {
    End& deeper = paths[a.path].depth >= paths[b.path].depth ? a : b;
    const CallFrame& frame = paths[deeper.path];
    if (!frame.caller) return {};
    deeper = {frame.caller, frame.call};
  }
  return interval_of(graph.program(), Way{paths[a.path].function, a.instruction, b.instruction});
}

}  // namespace

FindingWords words_of(DependenceGraph& graph, NodeLabels& labels, const GoalTree& tree, const TreeFinding& finding) {
  const NodeId first = tree.nodes[finding.first].node, second = tree.nodes[finding.second].node;
  const NodeId ancestor = tree.nodes[finding.ancestor].node;
  const std::string one = labels.name(first), other = labels.name(second);
  const Interval interval = interval_of(graph, first, second);
  FindingWords words;
  words.title = title_of(one, other, finding.triple());
  words.ancestor = ancestor ? labels.label(ancestor) : tree.root;
  words.first = labels.label(first);
  words.second = labels.label(second);
  if (finding.source) words.source = labels.label(finding.source);
  words.interval = to_text(interval);
  std::vector<std::size_t> interrupters;
  for (const FindingBetween& between : finding.between) interrupters.push_back(between.triple.interrupter);
  words.fix = fix_of(graph.system(), interval, one, other, finding.triple(), interrupters);
  for (const FindingBetween& between : finding.between) {
    const std::string entries = entry_words(graph.system(), between.triple.entry) + ", interrupted by " +
                                entry_words(graph.system(), between.triple.interrupter);
    if (std::ranges::find(words.entries, entries) == words.entries.end()) words.entries.push_back(entries);
    words.triples.push_back(to_text(graph.program(), between.triple));
    const NodeId there = tree.nodes[between.node].node;
    for (const auto& [own, writes] :
         {std::pair(first, finding.triple().first_writes), std::pair(second, finding.triple().second_writes)})
      if (writes != between.triple.between_writes && labels.name(own) == labels.name(there))
        words.interferences.push_back({labels.label(own), labels.label(there)});
  }
  return words;
}

std::string to_text(const TreeMark& mark) {
  const char* word = mark.what == TreeMark::What::Ancestor ? "ic" : mark.what == TreeMark::What::Read ? "rd" : "wo";
  return "=" + std::string(word) + std::to_string(mark.finding + 1) + "=";
}

bool is_interfering(const DependenceGraph& graph, const GoalTree& tree, std::uint32_t index) {
  const TreeNode& node = tree.nodes[index];
  if (!node.node || graph[node.node].kind != NodeKind::Write) return false;
  if (!tree.is_forward) return node.by == EdgeKind::Interference;
  return std::ranges::any_of(node.children,
                             [&](std::uint32_t child) { return tree.nodes[child].by == EdgeKind::Interference; });
}

std::string shown_label(const DependenceGraph& graph, NodeLabels& labels, const GoalTree& tree, std::uint32_t index,
                        std::size_t findings) {
  const TreeNode& node = tree.nodes[index];
  std::string out;
  for (const TreeMark& mark : node.marks) out += to_text(mark) + " ";
  if (is_interfering(graph, tree, index)) out += "≪ ";
  if (!node.node) {
    out += tree.root;
  } else {
    const std::string name = labels.name(node.node);
    out += name + (node.is_again ? "'" : "") + labels.label(node.node).substr(name.size());
  }
  if (index == 0 && !tree.is_forward) out += " (risk=" + std::to_string(findings) + ")";
  if (node.cut > 0) out += " … " + std::to_string(node.cut) + " more cut";
  return out;
}

}  // namespace heddle::depend
