// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/deciding_branches.h"

#include <algorithm>

#include "flow/post_dominators.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_visits = 20'000'000;

/// The blocks that a branch comes to up to its meeting point, and that one.
std::vector<BlockId> region_of(const flow::Cfg& cfg, BlockId branch, BlockId meeting) {
  std::vector<bool> is_known(cfg.successors.size(), false);
  std::vector<BlockId> region;
  const auto add = [&](BlockId block) {
    if (is_known[block.index()]) return;
    is_known[block.index()] = true;
    region.push_back(block);
  };
  std::ranges::for_each(cfg.successors[branch.index()], add);
  for (std::size_t i = 0; i < region.size(); ++i)
    if (region[i] != meeting) std::ranges::for_each(cfg.successors[region[i].index()], add);
  return region;
}

}  // namespace

std::vector<DecidingBranches> deciding_branches(const Function& function) {
  std::vector<DecidingBranches> result(function.blocks.size());
  const flow::Cfg cfg = flow::build_cfg(function, flow::Liveness::Skip);
  const std::vector<BlockId> meeting = flow::post_dominators(function, cfg);
  std::size_t visits = 0;
  for (const BlockId block : cfg.order) {
    if (cfg.successors[block.index()].size() < 2) continue;
    const std::uint32_t last = function.blocks[block.index()].first + function.blocks[block.index()].count - 1;
    const Opcode opcode = function.instructions[last].opcode;
    const bool is_told = opcode == Opcode::CondBranch || opcode == Opcode::Switch;
    const std::vector<BlockId> region = region_of(cfg, block, meeting[block.index()]);
    visits += region.size() + function.blocks.size() / 64;
    for (const BlockId one : region) {
      if (is_told) result[one.index()].branches.push_back(last);
      if (!is_told) result[one.index()].all = true;
    }
    if (visits > most_visits) return std::vector<DecidingBranches>(function.blocks.size(), {true, {}});
  }
  return result;
}

}  // namespace heddle::explore
