// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/call_graph.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::depend {

CallGraph::CallGraph(const Program& program, const alias::AliasFacts& aliases)
    : CallGraph(program, [&](FunctionId caller, std::size_t call) {
        const Function& function = program.functions[caller];
        const bool is_named = !function.operands_of(function.instructions[call])[0].is_value();
        const auto may = aliases.targets(caller, call);
        return is_named ? std::vector<FunctionId>{} : std::vector<FunctionId>(may.begin(), may.end());
      }) {}

CallGraph::CallGraph(const Program& program, const Reached& reached)
    : program_(program), callers_(program.functions.size()), callees_(program.functions.size()) {
  for (std::size_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      if (!function.instructions[i].is_call()) continue;
      const Operand callee = function.operands_of(function.instructions[i])[0];
      std::vector<FunctionId> targets = reached(FunctionId(f), i), outside;
      if (callee.is_function() && std::ranges::find(targets, callee.as_function()) == targets.end())
        targets.push_back(callee.as_function());
      const auto has_no_body = [&](FunctionId target) { return !program.functions[target].has_body(); };
      if (callee.is_value()) std::ranges::copy_if(targets, std::back_inserter(outside), has_no_body);
      if (!outside.empty()) outside_targets_.emplace(std::pair(FunctionId(f), i), std::move(outside));
      std::erase_if(targets, has_no_body);
      if (targets.empty()) continue;
      for (const FunctionId target : targets) {
        callers_[target.index()].push_back({FunctionId(f), i});
        callees_[f].push_back(target);
      }
      targets_.emplace(std::pair(FunctionId(f), i), std::move(targets));
    }
  }
}

const std::vector<FunctionId>& CallGraph::at(const Targets& targets, FunctionId function, std::size_t call) {
  static const std::vector<FunctionId> none;
  const auto found = targets.find({function, call});
  return found == targets.end() ? none : found->second;
}

const std::vector<FunctionId>& CallGraph::targets(FunctionId function, std::size_t call) const {
  return at(targets_, function, call);
}

const std::vector<FunctionId>& CallGraph::outside_targets(FunctionId function, std::size_t call) const {
  return at(outside_targets_, function, call);
}

std::vector<bool> CallGraph::reached_from(FunctionId function) const {
  std::vector<bool> reached(program_.functions.size());
  std::vector<FunctionId> todo{function};
  reached[function.index()] = true;
  while (!todo.empty()) {
    const FunctionId here = todo.back();
    todo.pop_back();
    for (const FunctionId next : callees_[here.index()]) {
      if (!reached[next.index()]) todo.push_back(next);
      reached[next.index()] = true;
    }
  }
  return reached;
}

std::map<FunctionId, std::vector<std::size_t>> CallGraph::above(FunctionId function) const {
  std::map<FunctionId, std::vector<std::size_t>> found{{function, {}}};
  std::vector<FunctionId> todo{function};
  while (!todo.empty()) {
    const FunctionId here = todo.back();
    todo.pop_back();
    for (const CallPoint& call : callers_[here.index()]) {
      const auto [at, is_new] = found.try_emplace(call.caller);
      if (is_new) todo.push_back(call.caller);
      at->second.push_back(call.instruction);
    }
  }
  return found;
}

std::unordered_set<FunctionId> CallGraph::leading_to(std::span<const FunctionId> functions) const {
  std::unordered_set<FunctionId> found(functions.begin(), functions.end());
  std::vector<FunctionId> todo(functions.begin(), functions.end());
  while (!todo.empty()) {
    const FunctionId here = todo.back();
    todo.pop_back();
    for (const CallPoint& call : callers_[here.index()])
      if (found.insert(call.caller).second) todo.push_back(call.caller);
  }
  return found;
}

const flow::Cfg& CallGraph::cfg(FunctionId function) const {
  const auto known = cfgs_.find(function);
  if (known != cfgs_.end()) return known->second;
  return cfgs_.emplace(function, flow::build_cfg(program_.functions[function], flow::Liveness::Skip)).first->second;
}

BlockId CallGraph::block_of(FunctionId function, std::size_t instruction) const {
  return heddle::block_of(program_.functions[function], instruction);
}

const std::vector<Loop>& CallGraph::loops(FunctionId function) const {
  const auto known = loops_.find(function);
  if (known != loops_.end()) return known->second;
  return loops_.emplace(function, find_loops(program_.functions[function], cfg(function))).first->second;
}

std::vector<BlockId> CallGraph::next_blocks(FunctionId function, BlockId block, Rounds rounds) const {
  const flow::Cfg& flow = cfg(function);
  std::vector<BlockId> out;
  for (const BlockId next : flow.successors[block.index()]) {
    if (rounds == Rounds::All || flow.rank[next.index()] > flow.rank[block.index()]) {
      out.push_back(next);
      continue;
    }
    // Back to the head of a loop: round again, or out of it.
    const auto loop = std::ranges::find(loops(function), next, &Loop::head);
    if (rounds == Rounds::Many && !loop->is_service)
      out.push_back(next);
    else
      out.insert(out.end(), loop->exits.begin(), loop->exits.end());
  }
  return out;
}

const std::vector<bool>& CallGraph::blocks_behind(FunctionId function, BlockId block, Rounds rounds) const {
  const auto [at, is_new] = behind_.try_emplace({function, block, rounds});
  if (!is_new) return at->second;
  std::vector<bool>& behind = at->second;
  behind.resize(cfg(function).successors.size());
  std::vector<BlockId> todo{block};
  while (!todo.empty()) {
    const BlockId here = todo.back();
    todo.pop_back();
    for (const BlockId next : next_blocks(function, here, rounds)) {
      if (behind[next.index()]) continue;
      behind[next.index()] = true;
      todo.push_back(next);
    }
  }
  return behind;
}

bool CallGraph::may_follow(FunctionId function, std::size_t first, std::size_t second, Rounds rounds) const {
  const BlockId from = block_of(function, first), to = block_of(function, second);
  if (from == to && first < second) return true;
  return blocks_behind(function, from, rounds)[to.index()];
}

bool CallGraph::may_lie_between(FunctionId function, std::size_t first, std::size_t point, std::size_t second,
                                Rounds rounds) const {
  const auto lies = [&](Rounds by) {
    return may_follow(function, first, point, by) && may_follow(function, point, second, by);
  };
  if (lies(rounds)) return true;
  if (rounds != Rounds::One) return false;
  // In a loop that has one of the two alone it may come in another round, before or behind that one.
  return (share_loop(function, first, point, second) && may_follow(function, first, second)) ||
         (share_loop(function, second, point, first) && may_follow(function, first, second));
}

bool CallGraph::share_rounds(FunctionId function, std::size_t a, std::size_t b) const {
  return std::ranges::any_of(loops(function), [&](const Loop& loop) {
    return !loop.is_service && loop.body[block_of(function, a).index()] && loop.body[block_of(function, b).index()];
  });
}

bool CallGraph::is_passed_once(FunctionId function, std::size_t head, std::size_t a, std::size_t b) const {
  const BlockId at = block_of(function, head);
  const auto has = [&](const Loop& loop, BlockId block) { return loop.body[block.index()]; };
  bool is_loop = false;
  for (const Loop& loop : loops(function)) {
    if (loop.head == at)
      is_loop = has(loop, block_of(function, a)) && has(loop, block_of(function, b));
    else if (!loop.is_service && has(loop, at))
      return false;
  }
  return is_loop;
}

bool CallGraph::share_loop(FunctionId function, std::size_t a, std::size_t b, std::size_t without) const {
  return std::ranges::any_of(loops(function), [&](const Loop& loop) {
    const auto has = [&](std::size_t point) { return loop.body[block_of(function, point).index()]; };
    return has(a) && has(b) && !has(without);
  });
}

}  // namespace heddle::depend
