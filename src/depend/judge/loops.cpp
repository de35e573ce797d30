// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/loops.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::depend {

bool Loops::goes_round(FunctionId function, std::size_t from, std::size_t to) const {
  const flow::Cfg& cfg = calls_.cfg(function);
  const Function& code = program_.functions[function];
  const BlockId begin = block_of(code, from), end = block_of(code, to);  // behind its phis
  return code.instructions[from].is_terminator() && cfg.rank[end.index()] <= cfg.rank[begin.index()];
}

const Loop* Loops::loop_at(FunctionId function, std::size_t head) const {
  const std::vector<Loop>& all = calls_.loops(function);
  const auto found = std::ranges::find(all, block_of(program_.functions[function], head), &Loop::head);
  return found == all.end() ? nullptr : &*found;
}

bool Loops::holds(FunctionId function, std::size_t head, std::size_t instruction) const {
  const Loop* loop = loop_at(function, head);
  return loop != nullptr && loop->body[block_of(program_.functions[function], instruction).index()];
}

bool Loops::is_service(FunctionId function, std::size_t head) const {
  const Loop* loop = loop_at(function, head);
  return loop != nullptr && loop->is_service;
}

bool Loops::is_endless(FunctionId function, std::size_t head) const {
  const Loop* loop = loop_at(function, head);
  if (loop == nullptr || !loop->exits.empty()) return false;
  const flow::Cfg& cfg = calls_.cfg(function);
  for (std::size_t b = 0; b < loop->body.size(); ++b)
    if (loop->body[b] && cfg.successors[b].empty()) return false;
  return true;
}

}  // namespace heddle::depend
