// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DependenceGraph: what a variable in a statement depends on, over functions and entries. A system dependence graph
// whose nodes are variables and constants in statements, each with its call path (the variable dependence graph of
// DFORCE, Wang and Matsubara), made only where somebody asks.
//
//   16: x = x1;      x at 16, a write, depends on x1 at 16, a read; that one on the writes of x1 that may reach it
//
// Edges:
//   - data: operands of the statement, writes that may reach a read (reaching.h), arguments, what calls return;
//   - index: what an address is made of, `i` in `a[i]`, `p` in `*p`;
//   - control: the statements that decide whether this one runs (control_dependence.h), in callers too;
//   - earlier: a write of an earlier run, or of an entry that never runs together with this one;
//   - interference: a write of an entry that can run together with this one. Not transitive: whether a path over
//   several
//     is possible is for whoever follows it (tree/goal_tree.h).
//
// Interference and earlier runs are looked for in global variables only; memory that pointers alone lead to is followed
// inside of one run. Sound as far as the alias facts are. Cost: what is asked for; equal nodes are one.
#pragma once
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "depend/graph/call_paths.h"
#include "depend/graph/control_dependence.h"
#include "depend/graph/memory_cells.h"
#include "depend/graph/reaching.h"

namespace heddle::depend {

enum class NodeKind : std::uint8_t {
  Write,     ///< memory that an instruction writes
  Value,     ///< a variable that never lies in memory, where it is defined; `detail`: the value
  Choice,    ///< the same, of what flows together at a phi: `detail` is which part of it
  Read,      ///< memory that an instruction reads
  Use,       ///< of a variable that never lies in memory; `detail`: the value
  Constant,  ///< `detail`: the operand
  Control,   ///< `instruction`: its first branch
  Outside,   ///< what a function without a body returns
};

struct GraphNode {
  NodeKind kind = NodeKind::Constant;
  PathId path;
  std::uint32_t instruction = 0;  ///< Use and Constant: the line, which tells statements apart
  std::uint32_t detail = 0;
  LocationId at;

  /// It names memory or a value at the place where it gets it.
  [[nodiscard]] bool is_definition() const {
    return kind == NodeKind::Write || kind == NodeKind::Value || kind == NodeKind::Choice;
  }
};
using NodeId = Id<GraphNode>;

enum class EdgeKind : std::uint8_t { Data, Index, Earlier, Interference, Control };

struct GraphEdge {
  NodeId to;
  EdgeKind kind = EdgeKind::Data;
};

class DependenceGraph {
 public:
  explicit DependenceGraph(AccessFacts& facts);

  [[nodiscard]] const GraphNode& operator[](NodeId node) const { return nodes_[node]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const CallFrame& frame(NodeId node) const { return paths_[nodes_[node].path]; }
  [[nodiscard]] const Function& function(NodeId node) const { return program_.functions[frame(node).function]; }
  /// What the node depends on: data in the order of the source, control behind it. Each node once.
  const std::vector<GraphEdge>& edges(NodeId node);

  NodeId write(PathId path, std::size_t instruction);
  NodeId read(PathId path, std::size_t instruction);
  NodeId value(PathId path, ValueId value);
  NodeId outside(PathId path, std::size_t call);
  /// The nodes of an operand of an instruction, whether it is a variable, a constant or an expression.
  std::vector<NodeId> operands(PathId path, Operand operand, LocationId at);
  /// The definitions that a variable which never lies in memory may have got its value from.
  std::vector<NodeId> definitions(PathId path, ValueId value);

  [[nodiscard]] bool may_run_together(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] const System& system() const { return system_; }
  [[nodiscard]] const CallGraph& calls() const { return facts_.calls; }
  [[nodiscard]] CallPaths& paths() { return paths_; }
  [[nodiscard]] const CallPaths& paths() const { return paths_; }
  [[nodiscard]] MemoryCells& cells() { return cells_; }
  [[nodiscard]] bool is_loop(NodeId control);

  /// The paths of all entries to a function; `any` where no entry reaches it.
  std::vector<PathId> paths_to(FunctionId function);

 private:
  friend class OperandWalk;
  struct Key {
    NodeKind kind;
    std::uint32_t path, instruction, detail;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  using Edges = std::vector<GraphEdge>;

  NodeId intern(const GraphNode& node);
  [[nodiscard]] Edges find_edges(NodeId node);
  void add_write(const GraphNode& node, Edges& to);
  void add_read(const GraphNode& node, Edges& to);
  void add_cell(const GraphNode& node, const Cell& cell, Edges& to);
  const ReachingWrites& at_end(std::uint32_t entry, const Cell& cell);
  void add_other_entries(const GraphNode& node, const Cell& cell, bool is_from_before, Edges& to);
  void add_value(const GraphNode& node, Edges& to);
  void add_parameter(const GraphNode& node, Edges& to);
  void add_choice(const GraphNode& node, Edges& to);
  void add_condition(const GraphNode& node, Edges& to);
  void add_arguments(const GraphNode& node, Edges& to);
  void add_operand(PathId path, Operand operand, LocationId at, EdgeKind kind, Edges& to);
  void add_control(NodeId node, PathId path, BlockId block, Edges& to);
  void settle(NodeId node, Edges& edges) const;

  const Program& program_;
  const System& system_;
  AccessFacts& facts_;
  CallPaths paths_;
  MemoryCells cells_;
  ControlDependence control_;
  std::map<std::pair<std::uint32_t, Cell>, ReachingWrites> at_end_;  ///< by entry
  Table<GraphNode> nodes_;
  std::unordered_map<Key, NodeId, KeyHash> ids_;  ///< only looked up
  std::deque<Edges> edges_;                       ///< by node; grows without moving them
  std::vector<bool> is_expanded_;                 ///< by node: its edges are known
};

/// What the source calls a value; empty: nothing.
[[nodiscard]] std::string_view name_of(const Function& function, ValueId value);

}  // namespace heddle::depend
