// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees and their findings as text for a terminal, as JSON (docs/depend.md has the fields), and as a page.
#pragma once
#include <string>
#include <vector>

#include "depend/tree/finding_words.h"
#include "report/race_report.h"

namespace heddle::depend {

struct SearchedTree {
  GoalTree tree;
  std::vector<TreeFinding> findings;
};

struct TreeTextOptions {
  std::size_t width = 100;
  bool has_color = false;
  std::size_t most_findings = 30;  ///< in words
};

/// The tree in box lines, then its findings.
std::string tree_text(DependenceGraph& graph, NodeLabels& labels, const SearchedTree& searched,
                      const TreeTextOptions& options);

std::string trees_json(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees);

/// One page that needs nothing from outside, with the sources of all nodes.
std::string trees_html(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees);

/// The findings as the other commands report races: each with its three places.
RaceReport trees_report(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees);

/// `file:line` of every node, sorted, each once.
std::string slice_text(const NodeLabels& labels, const GoalTree& tree);

}  // namespace heddle::depend
