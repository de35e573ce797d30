// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an operand of a statement to the variables and constants that it is made of: through arithmetic, casts, phis
// without a name, and into what called functions return, up to reads of memory and variables with names.
//
//   x1 = a * 2 + get();        a, 2, and what `return …;` in get is made of
#pragma once
#include <set>
#include <vector>

#include "depend/graph/dependence_graph.h"

namespace heddle::depend {

class OperandWalk {
 public:
  OperandWalk(DependenceGraph& graph, std::vector<GraphEdge>& to) : graph_(graph), to_(to) {}

  /// `at`: of the statement, where an instruction has no place of its own.
  void add(PathId path, Operand operand, LocationId at, EdgeKind kind);
  /// Of an instruction whatever name its value has.
  void add_instruction(PathId path, std::size_t instruction, LocationId at, EdgeKind kind);

 private:
  struct Item {
    PathId path;
    Operand operand;
    LocationId at;
    EdgeKind kind;
  };
  void run();
  void step(const Item& item);
  void step_into(PathId path, std::size_t instruction, LocationId at, EdgeKind kind);
  void add_constant(const Item& item);
  void add_call(PathId path, std::size_t call, LocationId at, EdgeKind kind);
  void add_phi(PathId path, std::size_t phi, LocationId at, EdgeKind kind);
  void push(PathId path, Operand operand, LocationId at, EdgeKind kind) { todo_.push_back({path, operand, at, kind}); }

  DependenceGraph& graph_;
  std::vector<GraphEdge>& to_;
  std::vector<Item> todo_;
  std::set<std::pair<PathId, std::uint32_t>> seen_;  ///< values
};

}  // namespace heddle::depend
