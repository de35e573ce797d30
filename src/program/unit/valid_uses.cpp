// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/unit/valid_uses.h"

#include <algorithm>

namespace heddle {

bool UseCheck::run(const Function& function) {
  f_ = &function;
  has_dominators_ = has_loose_uses_ = false;
  block_of_.assign(f_->instructions.size(), 0);
  for (std::uint32_t b = 0; b < f_->blocks.size(); ++b)
    std::fill_n(block_of_.begin() + f_->blocks[b].first, f_->blocks[b].count, b);
  for (std::uint32_t i = 0; i < f_->instructions.size(); ++i)
    if (!is_fine(block_of_[i], i)) return false;
  return !has_loose_uses_ || has_no_ring();
}

bool UseCheck::is_fine(std::uint32_t block, std::uint32_t instruction) {
  const Instruction& i = f_->instructions[instruction];
  const std::span<const Operand> operands = f_->operands_of(i);
  const bool is_phi = i.opcode == Opcode::Phi;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    if (operands[k].kind() != Operand::Kind::Value || operands[k].index() < f_->parameters.size()) continue;
    const auto definition = static_cast<std::uint32_t>(operands[k].index() - f_->parameters.size());
    const std::uint32_t from = block_of_[definition];
    const auto use = is_phi ? static_cast<std::uint32_t>(operands[k + 1].index()) : block;
    if (from == use ? is_phi || definition < instruction : from == 0) continue;
    if (!is_reachable(use))
      has_loose_uses_ = true;
    else if (from == use || !dominates(from, use))
      return false;
  }
  return true;
}

bool UseCheck::is_reachable(std::uint32_t block) {
  if (!has_dominators_) find_dominators();
  return rank_[block] != none;
}

bool UseCheck::dominates(std::uint32_t definition, std::uint32_t use) {
  return rank_[definition] != none && first_[definition] <= first_[use] && last_[use] <= last_[definition];
}

/// The blocks among them are where it goes on.
std::span<const Operand> UseCheck::ends_of(std::uint32_t block) const {
  const Block& b = f_->blocks[block];
  return f_->operands_of(f_->instructions[b.first + b.count - 1]);
}

void UseCheck::find_order() {
  order_.clear();
  rank_.assign(f_->blocks.size(), none);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack = {{0, 0}};
  rank_[0] = 0;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const std::span<const Operand> ends = ends_of(block);
    while (next < ends.size() && (!ends[next].is_block() || rank_[ends[next].index()] != none)) ++next;
    if (next == ends.size()) {
      order_.push_back(block);
      stack.pop_back();
      continue;
    }
    const auto successor = static_cast<std::uint32_t>(ends[next++].index());
    rank_[successor] = 0;
    stack.emplace_back(successor, 0);
  }
  std::ranges::reverse(order_);
  for (std::uint32_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
}

void UseCheck::find_dominators() {
  has_dominators_ = true;
  find_order();
  parent_.assign(f_->blocks.size(), none);
  parent_[0] = 0;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank_[a] > rank_[b]) a = parent_[a];
      while (rank_[b] > rank_[a]) b = parent_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : order_)
      for (const Operand end : ends_of(block)) {
        if (!end.is_block() || end.index() == 0) continue;
        std::uint32_t& parent = parent_[end.index()];
        const std::uint32_t better = parent == none ? block : meet(parent, block);
        changed = changed || better != parent;
        parent = better;
      }
  }
  number_tree();
}

/// A block comes before those that it dominates in the order, so the sizes of subtrees are known from behind.
void UseCheck::number_tree() {
  std::vector<std::uint32_t> size(f_->blocks.size(), 1);
  for (std::size_t i = order_.size(); i-- > 1;) size[parent_[order_[i]]] += size[order_[i]];
  first_.assign(f_->blocks.size(), none);
  last_.assign(f_->blocks.size(), none);
  std::vector<std::uint32_t> next(f_->blocks.size(), 0);
  for (const std::uint32_t block : order_) {
    first_[block] = block == 0 ? 0 : next[parent_[block]];
    last_[block] = first_[block] + size[block] - 1;
    next[block] = first_[block] + 1;
    if (block != 0) next[parent_[block]] += size[block];
  }
}

bool UseCheck::has_no_ring() {
  enum : std::uint8_t { New, Open, Done };
  std::vector<std::uint8_t> state(f_->instructions.size(), New);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t root = 0; root < state.size(); ++root) {
    if (state[root] != New || rank_[block_of_[root]] != none) continue;
    stack.assign(1, {root, 0});
    state[root] = Open;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      const Instruction& i = f_->instructions[at];
      const std::span<const Operand> operands = f_->operands_of(i);
      if (i.opcode == Opcode::Phi || next == operands.size()) {
        state[at] = Done;
        stack.pop_back();
        continue;
      }
      const Operand operand = operands[next++];
      if (operand.kind() != Operand::Kind::Value || operand.index() < f_->parameters.size()) continue;
      const auto definition = static_cast<std::uint32_t>(operand.index() - f_->parameters.size());
      if (state[definition] == Open) return false;
      if (state[definition] == Done || rank_[block_of_[definition]] != none) continue;
      state[definition] = Open;
      stack.emplace_back(definition, 0);
    }
  }
  return true;
}

}  // namespace heddle
