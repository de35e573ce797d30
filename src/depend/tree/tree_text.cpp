// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/tree_text.h"

#include <algorithm>
#include <set>

#include "report/screen/layout.h"
#include "report/screen/shown.h"

namespace heddle::depend {
namespace {

using report::painted;
using report::Style;

Style style_of(const DependenceGraph& graph, const GoalTree& tree, std::uint32_t index) {
  const TreeNode& node = tree.nodes[index];
  if (!node.marks.empty()) return Style::Alarm;
  if (is_interfering(graph, tree, index)) return Style::Warn;
  if (node.is_again || (node.node && graph[node.node].kind == NodeKind::Constant)) return Style::Dim;
  return index == 0 ? Style::Bold : Style::Plain;
}

/// Lines that lead to a node. What is too deep for the width says how deep it is.
std::string lines_before(const GoalTree& tree, std::uint32_t index, std::size_t width) {
  constexpr std::size_t step = 3;
  const TreeNode& node = tree.nodes[index];
  if (node.parent == TreeNode::none) return {};
  const auto is_last = [&](std::uint32_t one) { return tree.nodes[tree.nodes[one].parent].children.back() == one; };
  const std::string last = is_last(index) ? "└─ " : "├─ ";
  if (step * node.depth > width / 2) return "(" + std::to_string(node.depth) + ") " + last;
  std::string out = last;
  for (std::uint32_t up = node.parent; tree.nodes[up].parent != TreeNode::none; up = tree.nodes[up].parent)
    out.insert(0, is_last(up) ? "   " : "│  ");
  return out;
}

void add_lines(std::string& out, const std::string& head, const std::string& text, std::size_t width) {
  constexpr std::size_t indent = 4;
  for (const std::string& line : report::wrapped(head + text, width - indent))
    out += std::string(indent, ' ') + line + "\n";
}

std::string finding_text(const FindingWords& words, std::size_t number, const TreeTextOptions& options) {
  std::string out =
      painted("risk " + std::to_string(number) + ": " + report::shown(words.title), Style::Alarm, options.has_color) +
      "\n";
  const auto add = [&](const std::string& head, const std::string& text) {
    add_lines(out, head, report::shown(text), options.width);
  };
  for (const std::string& triple : words.triples) add("", triple);
  add("common ancestor ", words.ancestor);
  add("first ", words.first + ", second " + words.second);
  if (!words.source.empty()) add("both made of ", words.source);
  for (const InterferenceWords& edge : words.interferences) add("interference ", edge.own + " and ≪ " + edge.other);
  for (const std::string& entries : words.entries) add("", entries);
  add("interval: ", words.interval);
  add("fix: ", words.fix);
  return out;
}

}  // namespace

std::string tree_text(DependenceGraph& graph, NodeLabels& labels, const SearchedTree& searched,
                      const TreeTextOptions& options) {
  const GoalTree& tree = searched.tree;
  std::string out;
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const std::string before = lines_before(tree, i, options.width);
    const std::size_t used = report::width_of(before);
    const std::string label = report::shown(shown_label(graph, labels, tree, i, searched.findings.size()));
    out +=
        before + painted(report::cut(label, options.width - used), style_of(graph, tree, i), options.has_color) + "\n";
  }
  if (tree.cut > 0)
    out += "cut: " + std::to_string(tree.cut) + " branches were not followed" +
           (tree.is_out_of_time ? ", time was over" : "") + "\n";
  const std::size_t shown = std::min(searched.findings.size(), options.most_findings);
  for (std::size_t i = 0; i < shown; ++i)
    out += "\n" + finding_text(words_of(graph, labels, tree, searched.findings[i]), i + 1, options);
  if (shown < searched.findings.size())
    out += "\n" + std::to_string(searched.findings.size() - shown) +
           " more risks are marked in the tree; --format json has them in words\n";
  return out;
}

std::string slice_text(const NodeLabels& labels, const GoalTree& tree) {
  std::set<std::pair<std::string, std::uint32_t>> places;
  for (const TreeNode& node : tree.nodes)
    if (node.node)
      if (const NodePlace place = labels.place(node.node); place.line != 0) places.emplace(place.file, place.line);
  std::string out;
  for (const auto& [file, line] : places) out += report::shown(file) + ":" + std::to_string(line) + "\n";
  return out;
}

}  // namespace heddle::depend
