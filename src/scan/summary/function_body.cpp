// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/function_body.h"

namespace heddle::scan {
namespace {

/// What leads to a block that leads back to the head, up to the head.
void add_body(const flow::Cfg& cfg, Loop& loop) {
  std::vector<std::uint32_t> open = loop.tails;
  while (!open.empty()) {
    const std::uint32_t rank = open.back();
    open.pop_back();
    const auto at = std::ranges::lower_bound(loop.body, rank);
    if (rank < loop.head || (at != loop.body.end() && *at == rank)) continue;
    loop.body.insert(at, rank);
    for (const BlockId p : cfg.predecessors[cfg.order[rank].index()])
      if (cfg.rank[p.index()] != flow::Cfg::none_rank) open.push_back(cfg.rank[p.index()]);
  }
}

std::vector<Loop> find_loops(const flow::Cfg& cfg) {
  std::vector<Loop> loops;
  for (std::uint32_t head = 0; head < cfg.order.size(); ++head) {
    Loop loop{head, {}, {}};
    for (const BlockId p : cfg.predecessors[cfg.order[head].index()])
      if (const std::uint32_t rank = cfg.rank[p.index()]; rank != flow::Cfg::none_rank && rank >= head)
        loop.tails.push_back(rank);
    if (loop.tails.empty()) continue;
    loop.body.push_back(head);
    add_body(cfg, loop);
    loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace

FunctionBody::FunctionBody(const Program& program, FunctionId function)
    : id(function),
      function(program.functions[function]),
      cfg(flow::build_cfg(this->function, flow::Liveness::Skip)),
      loops(find_loops(cfg)) {}

const Loop* FunctionBody::innermost_loop(std::uint32_t rank) const {
  const Loop* out = nullptr;
  for (const Loop& loop : loops)
    if (loop.contains(rank) && (out == nullptr || out->head < loop.head)) out = &loop;
  return out;
}

}  // namespace heddle::scan
