// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/triple_words.h"
#include "depend/tree/tree_text.h"

namespace heddle::depend {
namespace {

ReportAccess access_of(DependenceGraph& graph, NodeLabels& labels, NodeId node, bool writes, std::size_t entry) {
  const NodePlace place = labels.place(node);
  ReportAccess out;
  out.file = place.file;
  out.line = place.line;
  if (graph[node].at) out.column = graph.program().locations[graph[node].at].column;
  out.kind = writes ? "write" : "read";
  out.path = labels.name(node);
  out.function = place.function;
  out.thread = graph.system().name(entry);
  return out;
}

std::string id_of(const ReportRace& race) {
  std::vector<std::string> parts;
  for (const ReportAccess& one : race.accesses)
    parts.push_back(one.kind + " " + one.path + " " + one.function + " " + one.thread);
  return triple_id(parts);
}

}  // namespace

RaceReport trees_report(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees) {
  RaceReport report;
  for (const SearchedTree& one : trees)
    for (const TreeFinding& finding : one.findings) {
      const FindingWords words = words_of(graph, labels, one.tree, finding);
      for (const FindingBetween& between : finding.between) {
        const Triple& triple = between.triple;
        const auto node = [&](std::uint32_t index) { return one.tree.nodes[index].node; };
        ReportRace race;
        race.accesses = {access_of(graph, labels, node(finding.first), triple.first_writes, triple.entry),
                         access_of(graph, labels, node(between.node), triple.between_writes, triple.interrupter),
                         access_of(graph, labels, node(finding.second), triple.second_writes, triple.entry)};
        race.variable = race.accesses.front().path;
        race.id = id_of(race);
        race.reasons = {words.title, "common ancestor " + words.ancestor + " below root " + one.tree.root,
                        "interval: " + words.interval, "fix: " + words.fix};
        race.reasons.insert(race.reasons.end(), words.entries.begin(), words.entries.end());
        report.races.push_back(std::move(race));
      }
    }
  report.assumptions = graph.system().assumptions();
  return report;
}

}  // namespace heddle::depend
