// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/finding_words.h"

#include <algorithm>

#include "depend/system/entry_listing.h"

namespace heddle::depend {
namespace {

/// The part of the innermost function that both accesses are made in, or below.
struct Interval {
  std::string function;
  std::uint32_t from = 0, to = 0;
};

std::uint32_t line_at(const DependenceGraph& graph, FunctionId function, std::size_t instruction) {
  const LocationId at = graph.program().functions[function].instructions[instruction].location;
  return at ? graph.program().locations[at].line : 0;
}

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
  const FunctionId function = paths[a.path].function;
  const std::uint32_t from = line_at(graph, function, a.instruction), to = line_at(graph, function, b.instruction);
  return {std::string(graph.program().functions[function].shown_name()), std::min(from, to), std::max(from, to)};
}

std::string range_text(const Interval& interval) {
  return interval.from == interval.to
             ? "at line " + std::to_string(interval.from)
             : "from line " + std::to_string(interval.from) + " to line " + std::to_string(interval.to);
}

std::string title_of(const std::string& first, const std::string& second, const Triple& triple) {
  if (first != second)
    return triple.first_writes ? "'" + first + "' and '" + second + "' may be seen half written"
                               : "'" + first + "' and '" + second + "' may be read of different writes";
  if (!triple.between_writes) return "'" + first + "' may be seen half done between two writes";
  if (!triple.first_writes && !triple.second_writes) return "two reads of '" + first + "' may find different values";
  return triple.first_writes ? "'" + first + "' may be read with another value than was written"
                             : "what was written to '" + first + "' after it was read may be lost";
}

/// What to do in the code, apart from keeping the other one out.
std::string change_of(const std::string& first, const std::string& second, const Triple& triple) {
  if (first != second)
    return triple.first_writes ? "write both under that mask" : "copy both under that mask and use the copies";
  if (!triple.between_writes) return "make the value in a local variable and write '" + first + "' once";
  if (!triple.first_writes && !triple.second_writes) return "read '" + first + "' once into a local copy and use that";
  return triple.first_writes ? "keep the value in a local variable and use that instead of reading '" + first + "'"
                             : "make the update of '" + first + "' one atomic step";
}

std::string fix_of(const System& system, const Interval& interval, const std::string& change, bool is_pair,
                   const TreeFinding& finding) {
  std::vector<std::string> names;
  for (const FindingBetween& one : finding.between) {
    const std::string name = "'" + system.name(one.triple.interrupter) + "'";
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string who;
  for (const std::string& name : names) who += (who.empty() ? "" : ", ") + name;
  const std::string where = interval.function.empty() ? "from the first access to the second"
                                                      : "in " + interval.function + " " + range_text(interval);
  const std::string mask = "mask " + who + " " + where;
  return (is_pair ? mask + ": " + change : change + "; or " + mask) +
         ". volatile is not enough: both accesses are made then, and the interruption still comes between them";
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
  words.interval =
      interval.function.empty() ? "between the two accesses" : interval.function + ", " + range_text(interval);
  words.fix = fix_of(graph.system(), interval, change_of(one, other, finding.triple()), one != other, finding);
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
