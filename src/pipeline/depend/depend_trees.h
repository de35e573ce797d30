// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `heddle depend` with `--root`, `--from`, `--slice` or `--roots`: what a variable depends on, or what depends on it,
// and the risks in that.
#pragma once
#include <string>
#include <vector>

#include "pipeline/depend/depend.h"
#include "report/race_report.h"

namespace heddle::pipeline {

struct TreeOptions {
  std::vector<std::string> roots = {};
  std::vector<std::string> from = {};   ///< variables of start trees
  std::vector<std::string> slice = {};  ///< `VAR@LINE`
  bool lists_roots = false;
  std::size_t depth = 0;      ///< of a tree; 0: as deep as it is
  std::size_t nodes = 0;      ///< of a tree; 0: 50000, or 10000 for a list of all roots
  std::uint32_t seconds = 0;  ///< for everything; 0: no limit
  bool wants_page = false;
  bool has_color = false;

  [[nodiscard]] bool is_asked() const { return lists_roots || !roots.empty() || !from.empty() || !slice.empty(); }
};

struct DependedTrees {
  std::string text;   ///< as the options ask
  std::string page;   ///< HTML, if it was asked for
  RaceReport report;  ///< the findings, for SARIF
  std::size_t risks = 0;
};

/// Errors are bad input (exit code 2).
Result<DependedTrees> depend_trees(const Input& input, const DependOptions& options, const TreeOptions& trees,
                                   const Tell& tell = {});

}  // namespace heddle::pipeline
