// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/loops.h"

#include "program/model/function_queries.h"

namespace heddle::depend {

bool Loops::goes_round(FunctionId function, std::size_t from, std::size_t to) const {
  const flow::Cfg& cfg = calls_.cfg(function);
  const Function& code = program_.functions[function];
  const BlockId begin = block_of(code, from), end = block_of(code, to);  // behind its phis
  return code.instructions[from].is_terminator() && cfg.rank[end.index()] <= cfg.rank[begin.index()];
}

bool Loops::holds(FunctionId function, std::size_t head, std::size_t instruction) {
  const Function& code = program_.functions[function];
  return body(function, block_of(code, head))[block_of(code, instruction).index()];
}

bool Loops::is_endless(FunctionId function, std::size_t head) {
  const std::vector<bool>& inside = body(function, block_of(program_.functions[function], head));
  const flow::Cfg& cfg = calls_.cfg(function);
  for (std::size_t b = 0; b < inside.size(); ++b) {
    if (!inside[b]) continue;
    if (cfg.successors[b].empty()) return false;
    for (const BlockId next : cfg.successors[b])
      if (!inside[next.index()]) return false;
  }
  return true;
}

const std::vector<bool>& Loops::body(FunctionId function, BlockId head) {
  const auto [at, is_new] = bodies_.try_emplace({function, head});
  std::vector<bool>& inside = at->second;
  if (!is_new) return inside;
  const flow::Cfg& cfg = calls_.cfg(function);
  inside.resize(cfg.successors.size());
  inside[head.index()] = true;
  std::vector<BlockId> todo;
  for (const BlockId from : cfg.predecessors[head.index()])
    if (cfg.rank[from.index()] != flow::Cfg::none_rank && cfg.rank[head.index()] <= cfg.rank[from.index()])
      todo.push_back(from);
  while (!todo.empty()) {
    const BlockId here = todo.back();
    todo.pop_back();
    if (inside[here.index()]) continue;
    inside[here.index()] = true;
    for (const BlockId from : cfg.predecessors[here.index()]) todo.push_back(from);
  }
  return inside;
}

}  // namespace heddle::depend
