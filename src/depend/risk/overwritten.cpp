// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/overwritten.h"

#include <algorithm>

#include "depend/access/made_of.h"

namespace heddle::depend {

/// Stores, and calls of functions that always store, in the order of the function.
const std::vector<std::size_t>& Overwrites::steps_in(FunctionId id, const Part& part) {
  const auto [at, is_new] = steps_.try_emplace({id, part});
  if (!is_new) return at->second;
  const Stores& stores = stores_of(part);
  std::vector<std::size_t> steps;
  if (const auto own = stores.by_function.find(id); own != stores.by_function.end()) steps = own->second;
  const Function& function = program_.functions[id];
  for (std::size_t i = 0; stores.callers.contains(id) && i < function.instructions.size(); ++i) {
    if (!function.instructions[i].is_call()) continue;
    const std::vector<FunctionId>& targets = calls_.targets(id, i);
    if (!targets.empty() &&
        std::ranges::all_of(targets, [&](FunctionId target) { return always_overwrites(target, part); }))
      steps.push_back(i);
  }
  std::ranges::sort(steps);
  return steps_[{id, part}] = std::move(steps);
}

const Overwrites::Stores& Overwrites::stores_of(const Part& part) {
  const auto [at, is_new] = stores_.try_emplace(part);
  Stores& stores = at->second;
  const auto all = accesses_.all().find(part.variable);
  if (!is_new || all == accesses_.all().end()) return stores;
  for (const Access& access : all->second) {
    const bool covers = access.writes && is_fixed(access) && access.offset <= part.begin && end_of(access) >= part.end;
    const Instruction& code = program_.functions[access.function].instructions[access.instruction];
    if (!covers || comes_from(access.function, code, part.variable)) continue;
    stores.by_function[access.function].push_back(access.instruction);
  }
  std::vector<FunctionId> functions;
  for (const auto& [function, instructions] : stores.by_function) functions.push_back(function);
  stores.callers = calls_.leading_to(functions);
  return stores;
}

/// What is stored was made of the variable: `x = x + 1` hands on what was there.
bool Overwrites::comes_from(FunctionId id, const Instruction& store, GlobalId variable) const {
  if (store.opcode != Opcode::Store) return store.opcode == Opcode::AtomicRmw || store.opcode == Opcode::CmpXchg;
  const Function& function = program_.functions[id];
  return is_made_of(function, function.operands_of(store)[0], [&](std::size_t at) { return reads(id, at, variable); });
}

bool Overwrites::reads(FunctionId function, std::size_t instruction, GlobalId variable) const {
  const auto all = accesses_.all().find(variable);
  return all != accesses_.all().end() && std::ranges::any_of(all->second, [&](const Access& access) {
           return access.reads && access.function == function && access.instruction == instruction;
         });
}

bool Overwrites::always_overwrites(FunctionId function, const Part& part) {
  if (!stores_of(part).callers.contains(function)) return false;
  const auto [at, is_new] = always_.try_emplace({function, part}, false);  // of recursion nothing is said
  if (is_new) {
    const bool always = !has_path(function, std::nullopt, std::nullopt, part, Rounds::Many);
    always_[{function, part}] = always;
    return always;
  }
  return at->second;
}

bool Overwrites::has_path(FunctionId id, std::optional<std::size_t> from, std::optional<std::size_t> to,
                          const Part& part, Rounds rounds) {
  const std::vector<std::size_t>& steps = steps_in(id, part);
  if (steps.empty()) return true;
  const Function& function = program_.functions[id];
  std::vector<bool> seen(function.blocks.size());
  std::vector<BlockId> todo;
  bool found = false;
  const auto walk = [&](BlockId block, std::size_t begin) {
    const Block& code = function.blocks[block.index()];
    const std::size_t end = code.first + code.count;
    const auto step = std::ranges::lower_bound(steps, begin);
    const std::size_t cut = step == steps.end() ? end : std::min(*step, end);
    if (to && begin <= *to && *to < end && *to <= cut) {
      found = true;
      return;
    }
    if (cut < end) return;
    const std::vector<BlockId> next = calls_.next_blocks(id, block, rounds);
    found = found || (!to && next.empty());
    for (const BlockId one : next) {
      if (!seen[one.index()]) todo.push_back(one);
      seen[one.index()] = true;
    }
  };
  if (from)
    walk(calls_.block_of(id, *from), *from + 1);
  else
    walk(BlockId(0), 0);
  while (!todo.empty() && !found) {
    const BlockId block = todo.back();
    todo.pop_back();
    walk(block, function.blocks[block.index()].first);
  }
  return found;
}

bool Overwrites::has_path_from_begin(FunctionId entry, const std::vector<bool>& reached, const Point& to,
                                     const Part& part, int depth) {
  constexpr int deepest = 8;
  if (!has_path(to.function, std::nullopt, to.instruction, part, Rounds::Many)) return false;
  if (to.function == entry || depth == deepest) return true;
  return std::ranges::any_of(calls_.callers(to.function), [&](const CallPoint& call) {
    return reached[call.caller.index()] &&
           has_path_from_begin(entry, reached, {call.caller, call.instruction}, part, depth + 1);
  });
}

bool Overwrites::may_read_older(FunctionId entry, const std::vector<bool>& reached, const Access& read) {
  if (!is_fixed(read)) return true;
  const Part part{read.variable, read.offset, end_of(read)};
  return has_path_from_begin(entry, reached, {read.function, read.instruction}, part, 0);
}

bool Overwrites::come_between(const Way& way, const Access& first, const Access& second) {
  const Access* fixed = is_fixed(second) ? &second : is_fixed(first) ? &first : nullptr;
  if (fixed == nullptr || first.variable != second.variable) return false;
  const Part part{fixed->variable, fixed->offset, end_of(*fixed)};
  if (!has_path(way.function, way.first, way.second, part, way.rounds)) return true;
  const bool first_is_below = way.function != first.function || way.first != first.instruction;
  if (first_is_below && !has_path(first.function, first.instruction, std::nullopt, part, Rounds::Many)) return true;
  const bool second_is_below = way.function != second.function || way.second != second.instruction;
  return second_is_below && !has_path(second.function, std::nullopt, second.instruction, part, Rounds::Many);
}

}  // namespace heddle::depend
