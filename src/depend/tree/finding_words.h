// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A finding in words, the same for every form of output.
#pragma once
#include <string>
#include <vector>

#include "depend/tree/node_labels.h"
#include "depend/tree/race_search.h"

namespace heddle::depend {

struct InterferenceWords {
  std::string own, other;  ///< labels of the two ends: `a (L:21@calc1)`, `a (L:31@input)`
};

struct FindingWords {
  std::string title;     ///< `two reads of 'a' may find different values`
  std::string ancestor;  ///< `x (L:16@func)`
  std::string first, second;
  std::vector<InterferenceWords> interferences;
  std::string source;                ///< what both are made of: `c (L:12@calc)`; empty: not of two variables
  std::vector<std::string> entries;  ///< `'func' (task, priority 1), interrupted by 'input' (task, priority 2)`
  std::string interval;              ///< `func, from line 10 to line 11`
  std::string fix;
  std::vector<std::string> triples;  ///< `a<R#21>,<W#31>,<R#26>`
};

FindingWords words_of(DependenceGraph& graph, NodeLabels& labels, const GoalTree& tree, const TreeFinding& finding);

/// A node with its marks: `=wo1= ≪ a (L:31@input)`, `x1' (L:21@calc1)`, `=ic1= x (L:16@func) (risk=1)`.
std::string shown_label(const DependenceGraph& graph, NodeLabels& labels, const GoalTree& tree, std::uint32_t node,
                        std::size_t findings);
/// It writes what an entry that runs together with it reads.
bool is_interfering(const DependenceGraph& graph, const GoalTree& tree, std::uint32_t node);
/// `=ic1=`
std::string to_text(const TreeMark& mark);

}  // namespace heddle::depend
