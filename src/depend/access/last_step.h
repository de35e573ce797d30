// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "flow/cfg.h"
#include "program/model/program.h"

namespace heddle::depend {

/// What the last of some steps has left, the same on every way through the function to a point. `steps`: by
/// instruction, none: it is not known what it leaves; `at_begin`: where the function begins.
template <class Value>
std::optional<Value> last_step(const Function& function, const flow::Cfg& cfg,
                               const std::map<std::size_t, std::optional<Value>>& steps, BlockId at_block,
                               std::size_t at, std::optional<Value> at_begin) {
  using Last = std::optional<Value>;
  const auto pass = [&](BlockId block, Last last, std::size_t end) {
    const std::size_t first = function.blocks[block.index()].first;
    for (auto step = steps.lower_bound(first); step != steps.end() && step->first < end; ++step) last = step->second;
    return last;
  };
  std::vector<std::optional<Last>> begins(function.blocks.size());  // none: nothing gets there
  begins[0] = std::move(at_begin);
  std::vector<BlockId> todo{BlockId(0)};
  while (!todo.empty()) {
    const BlockId block = todo.back();
    todo.pop_back();
    const Block& code = function.blocks[block.index()];
    const Last end = pass(block, *begins[block.index()], code.first + code.count);
    for (const BlockId next : cfg.successors[block.index()]) {
      std::optional<Last>& there = begins[next.index()];
      const Last met = !there || *there == end ? end : Last();
      if (there && *there == met) continue;
      there.emplace(met);
      todo.push_back(next);
    }
  }
  return begins[at_block.index()] ? pass(at_block, *begins[at_block.index()], at) : Last();
}

}  // namespace heddle::depend
