// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/dependence_graph.h"

#include <algorithm>
#include <tuple>

#include "depend/graph/operand_walk.h"

namespace heddle::depend {

std::string_view name_of(const Function& function, ValueId value) {
  const auto names = std::ranges::equal_range(function.names, value, {}, &ValueName::value);
  for (const ValueName& name : names)
    if (!name.names_memory && !name.name.empty()) return name.name;
  return {};
}

std::size_t DependenceGraph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = static_cast<std::uint64_t>(key.kind) + 1;
  for (const std::uint64_t part : {key.path, key.instruction, key.detail})
    hash = (hash ^ part) * 0x9e3779b97f4a7c15ULL, hash ^= hash >> 29U;
  return hash;
}

DependenceGraph::DependenceGraph(AccessFacts& facts)
    : program_(facts.program),
      system_(facts.system),
      facts_(facts),
      paths_(facts),
      cells_(facts),
      control_(program_, facts_.calls) {}

NodeId DependenceGraph::intern(const GraphNode& node) {
  const auto [at, is_new] = ids_.try_emplace({node.kind, node.path.index(), node.instruction, node.detail}, NodeId());
  if (is_new) at->second = nodes_.add(node);
  return at->second;
}

NodeId DependenceGraph::write(PathId path, std::size_t instruction) {
  const LocationId at = program_.functions[paths_[path].function].instructions[instruction].location;
  return intern({NodeKind::Write, path, static_cast<std::uint32_t>(instruction), 0, at});
}

NodeId DependenceGraph::read(PathId path, std::size_t instruction) {
  const LocationId at = program_.functions[paths_[path].function].instructions[instruction].location;
  return intern({NodeKind::Read, path, static_cast<std::uint32_t>(instruction), 0, at});
}

NodeId DependenceGraph::value(PathId path, ValueId value) {
  const Function& function = program_.functions[paths_[path].function];
  if (function.is_parameter(value)) return intern({NodeKind::Value, path, 0, value.index(), function.location});
  const std::size_t instruction = function.definition(value);
  return intern({NodeKind::Value, path, static_cast<std::uint32_t>(instruction), value.index(),
                 function.instructions[instruction].location});
}

NodeId DependenceGraph::outside(PathId path, std::size_t call) {
  const LocationId at = program_.functions[paths_[path].function].instructions[call].location;
  return intern({NodeKind::Outside, path, static_cast<std::uint32_t>(call), 0, at});
}

std::vector<NodeId> DependenceGraph::operands(PathId path, Operand operand, LocationId at) {
  Edges found;
  add_operand(path, operand, at, EdgeKind::Data, found);
  std::vector<NodeId> nodes;
  for (const GraphEdge& edge : found) nodes.push_back(edge.to);
  return nodes;
}

/// Through phis: a part that is the same variable has a definition of its own.
std::vector<NodeId> DependenceGraph::definitions(PathId path, ValueId value) {
  const Function& function = program_.functions[paths_[path].function];
  const std::string_view name = name_of(function, value);
  std::vector<NodeId> found;
  std::vector<ValueId> todo{value};
  std::set<ValueId> seen{value};
  while (!todo.empty()) {
    const ValueId here = todo.back();
    todo.pop_back();
    const bool is_phi =
        !function.is_parameter(here) && function.instructions[function.definition(here)].opcode == Opcode::Phi;
    if (!is_phi) {
      found.push_back(this->value(path, here));
      continue;
    }
    const std::size_t phi = function.definition(here);
    const auto parts = function.operands_of(function.instructions[phi]);
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
      if (parts[i].is_value() && name_of(function, parts[i].as_value()) == name) {
        if (seen.insert(parts[i].as_value()).second) todo.push_back(parts[i].as_value());
        continue;
      }
      const Block& from = function.blocks[parts[i + 1].as_block().index()];
      LocationId at = function.instructions[phi].location;
      if (!at) at = function.instructions[from.first + from.count - 1].location;
      found.push_back(
          intern({NodeKind::Choice, path, static_cast<std::uint32_t>(phi), static_cast<std::uint32_t>(i / 2), at}));
    }
  }
  return found;
}

const std::vector<GraphEdge>& DependenceGraph::edges(NodeId node) {
  if (node.index() < is_expanded_.size() && is_expanded_[node.index()]) return edges_[node.index()];
  Edges found = find_edges(node);
  settle(node, found);
  found.shrink_to_fit();
  if (edges_.size() < nodes_.size()) {
    edges_.resize(nodes_.size());
    is_expanded_.resize(nodes_.size());
  }
  is_expanded_[node.index()] = true;
  return edges_[node.index()] = std::move(found);
}

std::vector<GraphEdge> DependenceGraph::find_edges(NodeId id) {
  const GraphNode node = nodes_[id];
  const FunctionId function = paths_[node.path].function;
  Edges found;
  switch (node.kind) {
    case NodeKind::Write: add_write(node, found); break;
    case NodeKind::Value: add_value(node, found); break;
    case NodeKind::Choice: add_choice(node, found); break;
    case NodeKind::Read: add_read(node, found); break;
    case NodeKind::Use:
      for (const NodeId definition : definitions(node.path, ValueId(node.detail)))
        found.push_back({definition, EdgeKind::Data});
      break;
    case NodeKind::Control: add_condition(node, found); break;
    case NodeKind::Outside: add_arguments(node, found); break;
    case NodeKind::Constant: break;
  }
  const bool is_parameter =
      node.kind == NodeKind::Value && program_.functions[function].is_parameter(ValueId(node.detail));
  if (node.kind == NodeKind::Choice) {
    const Function& code = program_.functions[function];
    const auto parts = code.operands_of(code.instructions[node.instruction]);
    add_control(id, node.path, parts[2 * std::size_t{node.detail} + 1].as_block(), found);
  } else if ((node.is_definition() && !is_parameter) || node.kind == NodeKind::Control) {
    add_control(id, node.path, facts_.calls.block_of(function, node.instruction), found);
  }
  return found;
}

/// Data in the order of the source, control behind it, each node once.
void DependenceGraph::settle(NodeId self, Edges& edges) const {
  using Place = std::tuple<EdgeKind, FileId, std::uint32_t, std::uint32_t, std::size_t>;
  std::vector<std::pair<Place, GraphEdge>> placed;
  for (const GraphEdge& edge : edges) {
    const LocationId at = nodes_[edge.to].at;
    const Location place = at ? program_.locations[at] : Location{};
    const EdgeKind group = edge.kind == EdgeKind::Index ? EdgeKind::Data : edge.kind;
    placed.emplace_back(Place(group, place.file, place.line, place.column, placed.size()), edge);
  }
  std::ranges::sort(placed, {}, [](const auto& one) { return one.first; });
  edges.clear();
  std::unordered_set<NodeId> seen;
  for (const auto& [place, edge] : placed)
    if ((edge.to != self || edge.kind != EdgeKind::Control) && seen.insert(edge.to).second) edges.push_back(edge);
}

void DependenceGraph::add_operand(PathId path, Operand operand, LocationId at, EdgeKind kind, Edges& to) {
  OperandWalk(*this, to).add(path, operand, at, kind);
}

void DependenceGraph::add_control(NodeId self, PathId path, BlockId block, Edges& to) {
  std::vector<std::pair<PathId, BlockId>> todo{{path, block}};
  std::set<PathId> seen{path};
  while (!todo.empty()) {
    const auto [here, in] = todo.back();
    todo.pop_back();
    const FunctionId function = paths_[here].function;
    bool is_decided = false;
    for (const std::size_t branch : control_.of_block(function, in)) {
      const NodeId control = intern({NodeKind::Control, here, static_cast<std::uint32_t>(branch), 0,
                                     program_.functions[function].instructions[branch].location});
      if (control == self) continue;
      is_decided = true;
      to.push_back({control, EdgeKind::Control});
    }
    if (is_decided) continue;
    for (const CallPaths::Caller& caller : paths_.callers(here))
      if (seen.insert(caller.path).second)
        todo.emplace_back(caller.path, facts_.calls.block_of(paths_[caller.path].function, caller.call));
  }
}

bool DependenceGraph::is_loop(NodeId control) {
  return control_.is_loop(frame(control).function, nodes_[control].instruction);
}

bool DependenceGraph::may_run_together(std::uint32_t a, std::uint32_t b) const {
  if (a == CallPaths::no_entry || b == CallPaths::no_entry) return false;
  return system_.can_interrupt(a, b) || system_.can_interrupt(b, a);
}

std::vector<PathId> DependenceGraph::paths_to(FunctionId function) {
  std::vector<PathId> found;
  for (std::uint32_t entry = 0; entry < system_.entries().size(); ++entry)
    if (paths_.reaches(entry, function)) {
      const auto& some = paths_.to(function, entry);
      found.insert(found.end(), some.begin(), some.end());
    }
  if (found.empty()) found.push_back(paths_.any(function, CallPaths::no_entry));
  return found;
}

}  // namespace heddle::depend
