// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nodes of the dependence graph are called: `x (L:16@func)`, `2 (L:21@calc1)`, `[if] (L:12@func)`.
//
// Memory has the name that the source writes; where that goes through a pointer that always leads to one place of a
// global variable (`*pt`), it has the name of that place (`a`). A statement is called `for`, `do` … where its source
// can be read; else `while` if it decides about another round, and `if`.
#pragma once
#include <string>
#include <unordered_map>

#include "depend/graph/dependence_graph.h"
#include "program/names/access_path_namer.h"
#include "report/source_lines.h"

namespace heddle::depend {

struct NodePlace {
  std::string file = {}, function = {};
  std::uint32_t line = 0;
};

class NodeLabels {
 public:
  explicit NodeLabels(DependenceGraph& graph);

  [[nodiscard]] std::string name(NodeId node);
  /// `x (L:16@func)`
  [[nodiscard]] std::string label(NodeId node);
  [[nodiscard]] NodePlace place(NodeId node) const;
  /// The calls that lead there: `func:10 → calc1`; `… → calc1` where they are not told apart.
  [[nodiscard]] std::string calls(NodeId node) const;
  /// Of memory that an instruction touches: the first site that reads, or writes.
  [[nodiscard]] const std::string& memory(FunctionId function, std::size_t instruction, bool writes);
  [[nodiscard]] report::SourceLines& sources() { return sources_; }

 private:
  [[nodiscard]] std::string memory_name(FunctionId function, std::size_t instruction, bool writes);
  [[nodiscard]] std::string place_name(const alias::GlobalPlace& place, std::optional<std::uint64_t> size);
  [[nodiscard]] std::string constant_name(std::uint32_t operand) const;
  [[nodiscard]] std::string control_name(NodeId node);
  [[nodiscard]] std::string call_name(NodeId node) const;

  DependenceGraph& graph_;
  const Program& program_;
  AccessPathTable table_;
  AccessPathNamer namer_;
  report::SourceLines sources_;
  std::unordered_map<std::uint64_t, std::string> memory_[2];  ///< reads and writes; only looked up
};

}  // namespace heddle::depend
