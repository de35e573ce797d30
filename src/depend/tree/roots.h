// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Roots of trees: what a person names, and what is worth a tree by itself.
//
//   speed, state.error, buffer[2]      a global variable or a part of it: all its writes
//   speed@task, speed@task:31          the same in one function, at one line; also local variables
//   speed@31                           what stands at line 31, be it read or written
//   send()                             what is given to a function without a body
//
// Found by itself: error flags and outputs of heddle.toml; if there are none, global variables that are written and
// never read, and calls that give values to functions without a body.
#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "depend/tree/node_labels.h"

namespace heddle::depend {

struct TreeRoot {
  std::string name;
  std::string why;  ///< `error flag of heddle.toml`; empty: somebody named it
  std::vector<NodeId> nodes = {};
};

/// An error names the nearest variables.
Result<TreeRoot> root_named(DependenceGraph& graph, NodeLabels& labels, const std::string& text);

std::vector<TreeRoot> find_roots(DependenceGraph& graph, NodeLabels& labels);

/// All writes of global variables and all values given to functions without a body: whatever a program does is below
/// one of them.
std::vector<NodeId> all_sinks(DependenceGraph& graph);

}  // namespace heddle::depend
