// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/control_dependence.h"

#include <algorithm>

#include "flow/post_dominators.h"

namespace heddle::depend {
namespace {

std::size_t last_of(const Function& function, BlockId block) {
  const Block& code = function.blocks[block.index()];
  return code.first + code.count - 1;
}

void make_unique(std::vector<std::size_t>& numbers) {
  std::ranges::sort(numbers);
  const auto rest = std::ranges::unique(numbers);
  numbers.erase(rest.begin(), rest.end());
}

}  // namespace

const ControlDependence::Facts& ControlDependence::facts(FunctionId function) {
  const auto [at, is_new] = facts_.try_emplace(function);
  if (is_new) {
    add_blocks(function, at->second);
    join_parts(function, at->second);
  }
  return at->second;
}

void ControlDependence::add_blocks(FunctionId id, Facts& facts) const {
  const Function& function = program_.functions[id];
  const flow::Cfg& cfg = calls_.cfg(id);
  const std::vector<BlockId> meets = flow::post_dominators(function, cfg);
  facts.of_block.resize(function.blocks.size());
  for (const BlockId from : cfg.order) {
    const auto& sides = cfg.successors[from.index()];
    if (std::ranges::all_of(sides, [&](BlockId side) { return side == sides.front(); })) continue;
    if (function.instructions[last_of(function, from)].opcode == Opcode::Invoke) continue;
    const BlockId meeting = meets[from.index()];
    for (BlockId side : sides)
      for (std::size_t steps = 0; side.valid() && side != meeting && steps <= function.blocks.size(); ++steps) {
        if (side != from) facts.of_block[side.index()].push_back(last_of(function, from));
        side = meets[side.index()];
      }
  }
  for (auto& branches : facts.of_block) make_unique(branches);
}

/// `while (a && b)`: the branch decides by what flows together of a's branch and of b.
std::vector<std::size_t> ControlDependence::asked_before(FunctionId id, BlockId block) const {
  const Function& function = program_.functions[id];
  const std::size_t branch = last_of(function, block);
  std::vector<std::size_t> found;
  if (function.instructions[branch].opcode != Opcode::CondBranch) return found;
  const Operand condition = function.operands_of(function.instructions[branch])[0];
  if (!condition.is_value() || function.is_parameter(condition.as_value())) return found;
  const std::size_t phi = function.definition(condition.as_value());
  if (function.instructions[phi].opcode != Opcode::Phi || calls_.block_of(id, phi) != block) return found;
  const auto parts = function.operands_of(function.instructions[phi]);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    const std::size_t outer = last_of(function, parts[i + 1].as_block());
    if (outer < branch && function.instructions[outer].opcode == Opcode::CondBranch &&
        is_on_one_line(function, outer, branch))
      found.push_back(outer);
  }
  return found;
}

bool ControlDependence::is_on_one_line(const Function& function, std::size_t a, std::size_t b) const {
  const LocationId one = function.instructions[a].location, other = function.instructions[b].location;
  return one && other && program_.locations[one].line == program_.locations[other].line;
}

bool ControlDependence::is_one_condition(FunctionId id, std::size_t outer, std::size_t inner) const {
  const Function& function = program_.functions[id];
  if (!is_on_one_line(function, outer, inner)) return false;
  const auto& cfg = calls_.cfg(id);
  const BlockId from = calls_.block_of(id, outer), to = calls_.block_of(id, inner);
  const auto& sides = cfg.successors[from.index()];
  return from < to &&
         std::ranges::any_of(
             cfg.successors[to.index()], [&](BlockId side) { return std::ranges::find(sides, side) != sides.end(); });
}

void ControlDependence::join_parts(FunctionId id, Facts& facts) const {
  const Function& function = program_.functions[id];
  for (const BlockId block : calls_.cfg(id).order) {
    const std::size_t branch = last_of(function, block);
    std::size_t first = branch;
    for (const std::size_t outer : facts.of_block[block.index()])
      if (is_one_condition(id, outer, branch)) {
        const auto known = facts.statement.find(outer);
        first = std::min(first, known == facts.statement.end() ? outer : known->second);
      }
    for (const std::size_t outer : asked_before(id, block))
      first = std::min(first, facts.statement.contains(outer) ? facts.statement[outer] : outer);
    facts.statement[branch] = first;
  }
  for (auto& branches : facts.of_block) {
    for (std::size_t& branch : branches) branch = facts.statement[branch];
    make_unique(branches);
  }
}

const std::vector<std::size_t>& ControlDependence::of_block(FunctionId function, BlockId block) {
  return facts(function).of_block[block.index()];
}

std::vector<std::size_t> ControlDependence::of_edge(FunctionId id, BlockId from, BlockId to) {
  const Function& function = program_.functions[id];
  const Facts& all = facts(id);
  std::vector<std::size_t> found = all.of_block[from.index()];
  const std::size_t branch = last_of(function, from);
  const Opcode last = function.instructions[branch].opcode;
  if (last == Opcode::CondBranch || last == Opcode::Switch) found.push_back(all.statement.at(branch));
  const auto& target = all.of_block[to.index()];
  std::erase_if(found, [&](std::size_t one) { return std::ranges::find(target, one) != target.end(); });
  make_unique(found);
  return found;
}

std::vector<std::size_t> ControlDependence::parts(FunctionId function, std::size_t statement) {
  std::vector<std::size_t> found;
  for (const auto& [branch, first] : facts(function).statement)
    if (first == statement) found.push_back(branch);
  return found;
}

bool ControlDependence::is_loop(FunctionId function, std::size_t statement) {
  const flow::Cfg& cfg = calls_.cfg(function);
  return std::ranges::any_of(parts(function, statement), [&](std::size_t branch) {
    const BlockId block = calls_.block_of(function, branch);
    const auto goes_back = [&](BlockId next) { return cfg.rank[next.index()] <= cfg.rank[block.index()]; };
    return cfg.is_loop_head[block.index()] || std::ranges::any_of(cfg.successors[block.index()], goes_back);
  });
}

}  // namespace heddle::depend
