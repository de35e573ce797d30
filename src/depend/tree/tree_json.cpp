// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/tree/tree_json.h"

#include "depend/tree/tree_text.h"
#include "host/json_reader.h"
#include "program/names/access_name.h"

namespace heddle::depend {
namespace {

using host::json_string;

std::string_view kind_word(const GraphNode& node) {
  switch (node.kind) {
    case NodeKind::Constant: return "constant";
    case NodeKind::Control: return "control";
    case NodeKind::Outside: return "call";
    default: return "variable";
  }
}

std::string_view edge_word(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::Data: return "data";
    case EdgeKind::Index: return "index";
    case EdgeKind::Control: return "control";
    case EdgeKind::Earlier: return "earlier";
    case EdgeKind::Interference: return "interference";
  }
  return "data";
}

std::string strings(const std::vector<std::string>& all) {
  std::string out;
  for (const std::string& one : all) out += (out.empty() ? "" : ", ") + json_string(one);
  return "[" + out + "]";
}

std::string node_json(DependenceGraph& graph, NodeLabels& labels, const SearchedTree& searched, std::uint32_t index) {
  const TreeNode& node = searched.tree.nodes[index];
  std::string out =
      "{\"label\": " + json_string(shown_label(graph, labels, searched.tree, index, searched.findings.size()));
  if (node.node) {
    const NodePlace place = labels.place(node.node);
    out += ", \"kind\": \"" + std::string(kind_word(graph[node.node])) +
           "\", \"name\": " + json_string(labels.name(node.node)) + ", \"file\": " + json_string(place.file) +
           ", \"line\": " + std::to_string(place.line) + ", \"function\": " + json_string(place.function);
    out += ", \"calls\": " + json_string(labels.calls(node.node));
    if (const std::uint32_t entry = graph.frame(node.node).entry; entry != CallPaths::no_entry)
      out += ", \"entry\": " + json_string(graph.system().name(entry));
    if (graph[node.node].is_definition()) out += ", \"defines\": true";
  }
  if (node.parent != TreeNode::none)
    out += ", \"parent\": " + std::to_string(node.parent) + ", \"by\": \"" + std::string(edge_word(node.by)) + "\"";
  if (node.is_again) out += ", \"again\": true";
  if (is_interfering(graph, searched.tree, index)) out += ", \"interferes\": true";
  if (node.cut > 0) out += ", \"cut\": " + std::to_string(node.cut);
  std::vector<std::string> marks;
  for (const TreeMark& mark : node.marks) marks.push_back(to_text(mark));
  return out + (marks.empty() ? "" : ", \"marks\": " + strings(marks)) + "}";
}

std::string finding_json(DependenceGraph& graph, NodeLabels& labels, const GoalTree& tree, const TreeFinding& finding) {
  const FindingWords words = words_of(graph, labels, tree, finding);
  std::string between, interferences;
  for (const FindingBetween& one : finding.between) between += (between.empty() ? "" : ", ") + std::to_string(one.node);
  for (const InterferenceWords& one : words.interferences)
    interferences +=
        (interferences.empty() ? "" : ", ") + ("[" + json_string(one.own) + ", " + json_string(one.other) + "]");
  return "{\"title\": " + json_string(words.title) + ", \"ancestor\": " + std::to_string(finding.ancestor) +
         ", \"first\": " + std::to_string(finding.first) + ", \"second\": " + std::to_string(finding.second) +
         ", \"between\": [" + between + "], \"triples\": " + strings(words.triples) + ", \"interferences\": [" +
         interferences + "]" + (words.source.empty() ? "" : ", \"source\": " + json_string(words.source)) +
         ", \"entries\": " + strings(words.entries) + ", \"interval\": " + json_string(words.interval) +
         ", \"fix\": " + json_string(words.fix) + "}";
}

}  // namespace

std::string trees_json_list(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees) {
  std::string out;
  for (const SearchedTree& one : trees) {
    out += (out.empty() ? "\n  " : ",\n  ") + ("{\"root\": " + json_string(one.tree.root)) +
           ", \"forward\": " + (one.tree.is_forward ? "true" : "false") +
           ", \"risk\": " + std::to_string(one.findings.size()) + ", \"cut\": " + std::to_string(one.tree.cut) +
           ",\n   \"nodes\": [";
    for (std::uint32_t i = 0; i < one.tree.nodes.size(); ++i)
      out += (i == 0 ? "\n    " : ",\n    ") + node_json(graph, labels, one, i);
    out += "],\n   \"findings\": [";
    for (std::size_t i = 0; i < one.findings.size(); ++i)
      out += (i == 0 ? "\n    " : ",\n    ") + finding_json(graph, labels, one.tree, one.findings[i]);
    out += "]}";
  }
  return "[" + out + "]";
}

std::string trees_json(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees) {
  return "{\"version\": 1,\n \"assumptions\": " + strings(graph.system().assumptions()) +
         ",\n \"trees\": " + trees_json_list(graph, labels, trees) + "}\n";
}

}  // namespace heddle::depend
