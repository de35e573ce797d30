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

/// Uses and definitions of one block, walked backwards over `live`.
void step_back(const Function& f, const Block& block, std::vector<bool>& live) {
  for (std::uint32_t i = block.first + block.count; i-- > block.first;) {
    const Instruction& instruction = f.instructions[i];
    live[f.result_of(i).index()] = false;
    if (instruction.opcode == Opcode::Phi) continue;
    for (const Operand o : f.operands_of(instruction))
      if (o.is_value()) live[o.index()] = true;
  }
}

/// What the phis of `to` want from the edge out of `from`.
void add_phi_uses(const Function& f, BlockId from, BlockId to, std::vector<bool>& live) {
  for (const Instruction& i : f.instructions_of(f.blocks[to.index()])) {
    if (i.opcode != Opcode::Phi) break;
    const auto operands = f.operands_of(i);
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2)
      if (operands[k + 1].as_block() == from && operands[k].is_value()) live[operands[k].index()] = true;
  }
}

void compute_liveness(const Function& f, Cfg& cfg) {
  cfg.live_in.assign(f.blocks.size(), std::vector<bool>(f.value_count()));
  bool changed = true;
  while (changed) {
    changed = false;
    for (std::size_t k = cfg.order.size(); k-- > 0;) {
      const BlockId b = cfg.order[k];
      std::vector<bool> live(f.value_count());
      for (const BlockId s : cfg.successors[b.index()]) {
        const auto& in = cfg.live_in[s.index()];
        for (std::size_t v = 0; v < live.size(); ++v)
          if (in[v]) live[v] = true;
        add_phi_uses(f, b, s, live);
      }
      step_back(f, f.blocks[b.index()], live);
      if (live != cfg.live_in[b.index()]) {
        cfg.live_in[b.index()] = std::move(live);
        changed = true;
      }
    }
  }
}

}  // namespace

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
  if (liveness == Liveness::Compute) compute_liveness(f, cfg);
  return cfg;
}

}  // namespace heddle::flow
