// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "depend/tree/roots.h"
#include "depend/tree/tree_text.h"
#include "tests/unit/depend/system_of.h"

namespace heddle::depend {

/// A program of C text, whose first line has the number 1, with its dependence graph.
struct TestTree {
  TestSystem made;
  TestFacts known;
  DependenceGraph graph;
  NodeLabels labels;

  TestTree(const std::string& code, const std::string& toml)
      : made("#line 1\n" + code, toml, {"-w"}), known(made), graph(known.facts), labels(graph) {}

  SearchedTree searched(const std::string& root, const TreeLimits& limits = {}, bool knows_synchronisation = true) {
    const auto found = root_named(graph, labels, root);
    if (!found) {
      ADD_FAILURE() << found.error().message;
      return {};
    }
    SearchedTree out{grow_goal_tree(graph, found->name, found->nodes, limits), {}};
    const TreeCandidates candidates = CandidateFinder(graph).find(out.tree);
    const TripleOptions options = options_for(graph, candidates, knows_synchronisation);
    const TripleIndex triples(find_triples(known.facts, options));
    out.findings = search_races(graph, out.tree, candidates, triples);
    return out;
  }

  /// The tree alone, without its findings.
  std::string drawn(const std::string& root, const TreeLimits& limits = {}) {
    SearchedTree one = searched(root, limits);
    const std::string all = tree_text(graph, labels, one, {});
    return all.substr(0, all.find("\nrisk "));
  }

  std::string start(const std::string& root) {
    const auto found = root_named(graph, labels, root);
    if (!found) return found.error().message;
    return tree_text(graph, labels, {grow_start_tree(graph, found->name, found->nodes, all_sinks(graph), {}), {}}, {});
  }

  /// `a<R#21>,<W#31>,<R#26> below x (L:16@func)`, one a line.
  std::string found(const std::string& root, bool knows_synchronisation = true) {
    const SearchedTree one = searched(root, {}, knows_synchronisation);
    std::string out;
    for (const TreeFinding& finding : one.findings) {
      const FindingWords words = words_of(graph, labels, one.tree, finding);
      for (const std::string& triple : words.triples) out += triple + " ";
      out += "below " + words.ancestor + "\n";
    }
    return out;
  }

  std::string message(const std::string& root) {
    const auto found = root_named(graph, labels, root);
    return found ? "accepted" : found.error().message;
  }
};

/// Nothing runs beside it.
inline std::string one_task() { return entry_table("task", "task", "priority = 1"); }

/// A task and an interrupt that is stronger.
inline std::string task_and_isr() { return one_task() + entry_table("isr", "interrupt", "priority = 2"); }

}  // namespace heddle::depend
