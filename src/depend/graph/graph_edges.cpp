// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each kind of node depends on.
#include <algorithm>

#include "depend/graph/dependence_graph.h"
#include "depend/graph/operand_walk.h"

namespace heddle::depend {

void DependenceGraph::add_write(const GraphNode& node, Edges& to) {
  const Function& function = program_.functions[paths_[node.path].function];
  const Instruction& code = function.instructions[node.instruction];
  const auto operands = function.operands_of(code);
  const auto add = [&](std::size_t operand, EdgeKind kind) {
    add_operand(node.path, operands[operand], node.at, kind, to);
  };
  switch (code.opcode) {
    case Opcode::Store: add(0, EdgeKind::Data), add(1, EdgeKind::Index); return;
    case Opcode::MemCopy:
      to.push_back({read(node.path, node.instruction), EdgeKind::Data}), add(0, EdgeKind::Index);
      return;
    case Opcode::MemSet: add(1, EdgeKind::Data), add(0, EdgeKind::Index); return;
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
      to.push_back({read(node.path, node.instruction), EdgeKind::Data});
      for (std::size_t i = 1; i < operands.size(); ++i) add(i, EdgeKind::Data);
      return;
    default: break;
  }
  if (code.is_call()) add_arguments(node, to);
}

/// Of a call of a function without a body.
void DependenceGraph::add_arguments(const GraphNode& node, Edges& to) {
  const Function& function = program_.functions[paths_[node.path].function];
  for (const Operand argument : function.arguments_of(function.instructions[node.instruction]))
    add_operand(node.path, argument, node.at, EdgeKind::Data, to);
}

void DependenceGraph::add_read(const GraphNode& node, Edges& to) {
  const FunctionId id = paths_[node.path].function;
  const Function& function = program_.functions[id];
  const auto operands = function.operands_of(function.instructions[node.instruction]);
  for (const AccessSite& site : access_sites(program_, function, node.instruction)) {
    if (site.kind != AccessKind::Read && site.kind != AccessKind::Update) continue;
    for (const Cell& cell : cells_.touched(id, site)) add_cell(node, cell, to);
    add_operand(node.path, operands[site.address_operand], node.at, EdgeKind::Index, to);
  }
}

void DependenceGraph::add_cell(const GraphNode& node, const Cell& cell, Edges& to) {
  if (cells_.writers(cell).writes.empty()) return;
  const ReachingWrites reaching =
      reaching_writes(program_, facts_.calls, paths_, cells_, node.path, node.instruction, cell);
  for (const PlacedWrite& one : reaching.writes) to.push_back({write(one.path, one.instruction), EdgeKind::Data});
  if (cell.global) add_other_entries(node, cell, reaching.is_from_before, to);
}

const ReachingWrites& DependenceGraph::at_end(std::uint32_t entry, const Cell& cell) {
  const auto known = at_end_.find({entry, cell});
  if (known != at_end_.end()) return known->second;
  ReachingWrites found = writes_at_end(program_, facts_.calls, paths_, cells_, entry, cell);
  return at_end_.emplace(std::pair(entry, cell), std::move(found)).first->second;
}

void DependenceGraph::add_other_entries(const GraphNode& node, const Cell& cell, bool is_from_before, Edges& to) {
  const std::uint32_t own = paths_[node.path].entry;
  if (own == CallPaths::no_entry) return;
  if (is_from_before && system_.entries()[own].kind != EntryKind::Init)
    for (const PlacedWrite& one : at_end(own, cell).writes)
      to.push_back({write(one.path, one.instruction), EdgeKind::Earlier});
  const std::vector<CellWrite>& all = cells_.writers(cell).writes;
  for (std::uint32_t other = 0; other < system_.entries().size(); ++other) {
    const bool is_together = may_run_together(own, other);
    if (!is_together && (other == own || !is_from_before)) continue;
    for (const CellWrite& one : all) {
      if (!paths_.reaches(other, one.function)) continue;
      for (const PathId path : paths_.to(one.function, other))
        to.push_back({write(path, one.instruction), is_together ? EdgeKind::Interference : EdgeKind::Earlier});
    }
  }
}

void DependenceGraph::add_value(const GraphNode& node, Edges& to) {
  const Function& function = program_.functions[paths_[node.path].function];
  if (function.is_parameter(ValueId(node.detail))) return add_parameter(node, to);
  OperandWalk(*this, to).add_instruction(node.path, node.instruction, node.at, EdgeKind::Data);
}

/// What the callers pass. An entry that is also called means what its callers pass, too.
void DependenceGraph::add_parameter(const GraphNode& node, Edges& to) {
  auto callers = paths_.callers(node.path);
  if (callers.empty()) callers = paths_.all_callers(paths_[node.path].function);
  for (const CallPaths::Caller& caller : callers) {
    const Function& function = program_.functions[paths_[caller.path].function];
    const auto arguments = function.arguments_of(function.instructions[caller.call]);
    if (node.detail < arguments.size())
      add_operand(caller.path, arguments[node.detail], function.instructions[caller.call].location, EdgeKind::Data, to);
  }
}

void DependenceGraph::add_choice(const GraphNode& node, Edges& to) {
  const Function& function = program_.functions[paths_[node.path].function];
  const auto parts = function.operands_of(function.instructions[node.instruction]);
  add_operand(node.path, parts[2 * std::size_t{node.detail}], node.at, EdgeKind::Data, to);
}

void DependenceGraph::add_condition(const GraphNode& node, Edges& to) {
  const FunctionId id = paths_[node.path].function;
  const Function& function = program_.functions[id];
  for (const std::size_t branch : control_.parts(id, node.instruction))
    add_operand(node.path, function.operands_of(function.instructions[branch])[0],
                function.instructions[branch].location, EdgeKind::Data, to);
}

}  // namespace heddle::depend
