// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/cfg.h"

#include <algorithm>
#include <utility>

namespace heddle::flow {
namespace {

/// Depth-first, without recursion: a generated function may have a hundred thousand blocks in a row.
std::vector<BlockId> post_order(const std::vector<std::vector<BlockId>>& successors) {
  std::vector<BlockId> out;
  std::vector<bool> seen(successors.size());
  std::vector<std::pair<BlockId, std::size_t>> stack{{BlockId(0), 0}};
  seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next == successors[block.index()].size()) {
      out.push_back(block);
      stack.pop_back();
      continue;
    }
    const BlockId to = successors[block.index()][next++];
    if (!seen[to.index()]) {
      seen[to.index()] = true;
      stack.emplace_back(to, 0);
    }
  }
  return out;
}

/// Which values are wanted where a block begins. Each use is followed back to the definition, so that the cost is the
/// size of the result: most values live in one block.
class LivenessFinder {
 public:
  LivenessFinder(const Function& f, Cfg& cfg) : f_(f), cfg_(cfg), definition_(f.value_count()), seen_(f.blocks.size()) {
    cfg_.live_in.assign(f.blocks.size(), {});
    for (const BlockId b : cfg_.order) for_each_instruction(b, [&](std::uint32_t i) { definition_[value(i)] = b; });
  }

  void run() {
    for (const BlockId b : cfg_.order) for_each_instruction(b, [&](std::uint32_t i) { add_uses(i, b); });
    std::ranges::sort(wanted_);
    for (const auto& [value, block] : wanted_) follow(value, block);
  }

 private:
  template <class F>
  void for_each_instruction(BlockId b, const F& look) const {
    const Block& block = f_.blocks[b.index()];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) look(i);
  }
  [[nodiscard]] std::uint32_t value(std::uint32_t instruction) const { return f_.result_of(instruction).index(); }

  void add_uses(std::uint32_t instruction, BlockId block) {
    const Instruction& code = f_.instructions[instruction];
    const auto operands = f_.operands_of(code);
    if (code.opcode != Opcode::Phi) {
      for (const Operand o : operands)
        if (o.is_value() && (definition_[o.index()] != block || o.index() >= value(instruction)))
          wanted_.emplace_back(o.index(), block);
      return;
    }
    // A phi wants its operand where the edge begins.
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
      const BlockId from = operands[k + 1].as_block();
      if (operands[k].is_value() && cfg_.rank[from.index()] != Cfg::none_rank &&
          definition_[operands[k].index()] != from)
        wanted_.emplace_back(operands[k].index(), from);
    }
  }

  /// The value is wanted where `block` begins, and so at the end of those before it.
  void follow(std::uint32_t value, BlockId block) {
    std::vector<BlockId> work{block};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (seen_[b.index()] == value + 1) continue;
      seen_[b.index()] = value + 1;
      cfg_.live_in[b.index()].push_back(value);
      for (const BlockId before : cfg_.predecessors[b.index()])
        if (definition_[value] != before) work.push_back(before);
    }
  }

  const Function& f_;
  Cfg& cfg_;
  std::vector<BlockId> definition_;  ///< by value; none for parameters
  std::vector<std::pair<std::uint32_t, BlockId>> wanted_;
  std::vector<std::uint32_t> seen_;  ///< by block: the last value that was found live there, plus one
};

}  // namespace

bool Cfg::is_live_in(BlockId block, ValueId value) const {
  return std::ranges::binary_search(live_in[block.index()], value.index());
}

Cfg build_cfg(const Function& f, Liveness liveness) {
  Cfg cfg;
  const std::size_t n = f.blocks.size();
  cfg.successors.resize(n);
  cfg.predecessors.resize(n);
  cfg.is_loop_head.assign(n, false);
  cfg.rank.assign(n, Cfg::none_rank);
  if (n == 0) return cfg;
  for (std::size_t b = 0; b < n; ++b) cfg.successors[b] = f.successors(BlockId(b));
  cfg.order = post_order(cfg.successors);
  std::reverse(cfg.order.begin(), cfg.order.end());
  for (std::size_t k = 0; k < cfg.order.size(); ++k) cfg.rank[cfg.order[k].index()] = static_cast<std::uint32_t>(k);
  for (const BlockId b : cfg.order)
    for (const BlockId s : cfg.successors[b.index()]) {
      cfg.predecessors[s.index()].push_back(b);
      if (cfg.rank[s.index()] <= cfg.rank[b.index()]) cfg.is_loop_head[s.index()] = true;
    }
  if (liveness == Liveness::Compute) LivenessFinder(f, cfg).run();
  return cfg;
}

}  // namespace heddle::flow
