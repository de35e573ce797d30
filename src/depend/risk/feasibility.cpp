// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/feasibility.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

bool may_touch(const Access& access, const alias::GlobalPlace& place) {
  return access.size == 0 ||
         (access.offset <= place.offset && place.offset < access.offset + static_cast<std::int64_t>(access.size));
}

}  // namespace

bool Feasibility::is_between(const Way& way, std::size_t instruction) const {
  return calls_.may_follow(way.function, way.first, instruction) &&
         calls_.may_follow(way.function, instruction, way.second);
}

bool Feasibility::writes(std::size_t entry, const alias::GlobalPlace& place) const {
  const auto all = accesses_.all().find(place.global);
  return all != accesses_.all().end() && std::ranges::any_of(all->second, [&](const Access& access) {
           return access.writes && reached_[entry][access.function.index()] && may_touch(access, place);
         });
}

bool Feasibility::interrupters_write(std::size_t entry, const alias::GlobalPlace& place) const {
  for (std::size_t i = 0; i < reached_.size(); ++i)
    if (system_.can_interrupt(i, entry) && writes(i, place)) return true;
  return false;
}

/// Of the function of the way, and of the one that makes the access.
Feasibility::Places Feasibility::places_at(const Way& way, std::size_t point, const Access& access) {
  Places all = conditions_.at(way.function, point).places;
  if (access.function != way.function) {
    const Places& inner = conditions_.at(access.function, access.instruction).places;
    all.insert(inner.begin(), inner.end());
  }
  return all;
}

bool Feasibility::allows(std::size_t entry, const Way& way, const Access& first, const Access& second) {
  const Function& function = program_.functions[way.function];
  const auto& here = conditions_.at(way.function, way.first).values;
  const auto& there = conditions_.at(way.function, way.second).values;
  for (const auto& [value, range] : here) {
    const auto other = there.find(value);
    if (other == there.end() || !are_apart(range, other->second)) continue;
    if (function.is_parameter(value) || !is_between(way, function.definition(value))) return false;
  }
  const Places before = places_at(way, way.first, first);
  if (before.empty()) return true;
  const Places behind = places_at(way, way.second, second);
  for (const auto& [place, range] : before) {
    const auto other = behind.find(place);
    if (other == behind.end() || !are_apart(range, other->second)) continue;
    if (!writes(entry, place) && !interrupters_write(entry, place)) return false;
  }
  return true;
}

bool Feasibility::allows(std::size_t entry, const Way& way, const Access& between) {
  for (const auto& [place, range] : conditions_.at(between.function, between.instruction).places) {
    const auto value = value_on_way(entry, way, place);
    if (value && !range.holds(*value)) return false;
  }
  return true;
}

/// What the place holds from the first point of the way to the second, if the entry alone decides that.
std::optional<std::int64_t> Feasibility::value_on_way(std::size_t entry, const Way& way,
                                                      const alias::GlobalPlace& place) {
  if (interrupters_write(entry, place)) return std::nullopt;
  bool is_all = true;
  const auto stores = stores_to(entry, way.function, place, is_all);
  if (!is_all || stores.empty()) return std::nullopt;
  for (const auto& [instruction, value] : stores)
    if (instruction == way.first || instruction == way.second || is_between(way, instruction)) return std::nullopt;
  return value_at(way.function, way.first, stores);
}

/// By instruction of the function: what it stores there. `is_all` becomes false if the entry writes there otherwise.
std::map<std::size_t, std::optional<std::int64_t>> Feasibility::stores_to(std::size_t entry, FunctionId id,
                                                                          const alias::GlobalPlace& place,
                                                                          bool& is_all) const {
  std::map<std::size_t, std::optional<std::int64_t>> stores;
  const Function& function = program_.functions[id];
  const auto all = accesses_.all().find(place.global);
  if (all == accesses_.all().end()) return stores;
  for (const Access& access : all->second) {
    if (!access.writes || !reached_[entry][access.function.index()] || !may_touch(access, place)) continue;
    const Instruction& code = program_.functions[access.function].instructions[access.instruction];
    is_all = is_all && access.function == id && access.size != 0 && access.offset == place.offset &&
             code.opcode == Opcode::Store;
    if (!is_all) return {};
    const Operand value = function.operands_of(code)[0];
    stores[access.instruction] =
        value.is_constant() ? signed_number(program_, program_.constants[value.as_constant()]) : std::nullopt;
  }
  return stores;
}

std::optional<std::int64_t> Feasibility::value_at(
    FunctionId id, std::size_t point, const std::map<std::size_t, std::optional<std::int64_t>>& stores) const {
  using Value = std::optional<std::int64_t>;  ///< none: not known
  const Function& function = program_.functions[id];
  const flow::Cfg& cfg = calls_.cfg(id);
  const auto pass = [&](BlockId block, Value value, std::size_t end) {
    const std::size_t first = function.blocks[block.index()].first;
    for (auto store = stores.lower_bound(first); store != stores.end() && store->first < end; ++store)
      value = store->second;
    return value;
  };
  std::vector<std::optional<Value>> begins(function.blocks.size());
  begins[0] = Value();
  std::vector<BlockId> todo{BlockId(0)};
  while (!todo.empty()) {
    const BlockId block = todo.back();
    todo.pop_back();
    const Block& code = function.blocks[block.index()];
    const Value end = pass(block, *begins[block.index()], code.first + code.count);
    for (const BlockId next : cfg.successors[block.index()]) {
      std::optional<Value>& there = begins[next.index()];
      const std::optional<Value> met = !there || *there == end ? end : Value();
      if (there && *there == *met) continue;
      there = met;
      todo.push_back(next);
    }
  }
  const BlockId block = calls_.block_of(id, point);
  return begins[block.index()] ? pass(block, *begins[block.index()], point) : std::nullopt;
}

}  // namespace heddle::depend
