// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <string>
#include <vector>

#include "depend/tree/tree_text.h"

namespace heddle::depend {

/// `[{"root": …, "nodes": […], "findings": […]}, …]`: what the JSON output and the page have in common.
std::string trees_json_list(DependenceGraph& graph, NodeLabels& labels, const std::vector<SearchedTree>& trees);

}  // namespace heddle::depend
