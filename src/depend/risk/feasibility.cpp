// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/feasibility.h"

#include <algorithm>

#include "depend/access/last_step.h"

namespace heddle::depend {
namespace {

constexpr int most_callers = 8;

}  // namespace

// --- what holds where an access is made

void Feasibility::add(const Conditions& conditions, Facts& to) const {
  to.cells.insert(to.cells.end(), conditions.cells.begin(), conditions.cells.end());
  for (const Relation& relation : conditions.relations)
    if (relation.values.empty()) to.relations.push_back(relation);
}

/// Where the function begins, in a run of the entry: what its only call says.
const Feasibility::Facts& Feasibility::above(std::size_t entry, FunctionId function) {
  const auto [at, is_new] = above_.try_emplace({entry, function});
  if (!is_new || function == system_.entries()[entry].function) return at->second;
  std::optional<CallPoint> only;
  for (const CallPoint& call : calls_.callers(function)) {
    if (!reached_[entry][call.caller.index()]) continue;
    if (only) return at->second;
    only = call;
  }
  if (!only) return at->second;
  Facts facts = above(entry, only->caller);
  add(conditions_.at(only->caller, only->instruction), facts);
  return above_[{entry, function}] = std::move(facts);
}

Feasibility::Facts Feasibility::facts_at(std::size_t entry, const Access& access) {
  Facts facts = above(entry, access.function);
  add(conditions_.at(access.function, access.instruction), facts);
  return facts;
}

Feasibility::Facts Feasibility::facts_at(std::size_t entry, const Way& way, std::size_t point, const Access& access) {
  Facts facts = facts_at(entry, access);
  if (way.function == access.function) return facts;
  add(conditions_.at(way.function, point), facts);
  const Facts& more = above(entry, way.function);
  facts.cells.insert(facts.cells.end(), more.cells.begin(), more.cells.end());
  facts.relations.insert(facts.relations.end(), more.relations.begin(), more.relations.end());
  return facts;
}

bool Feasibility::are_possible(const Facts& facts) {
  return std::ranges::all_of(facts.cells, [&](const CellFact& fact) {
    const Numbered& numbers = values_.of(fact.read.cell);
    return !numbers || std::ranges::any_of(*numbers, [&](std::int64_t one) { return fact.range.holds(one); });
  });
}

bool Feasibility::allows(std::size_t entry, const Access& access) {
  return !conditions_.at(access.function, access.instruction).are_impossible() && are_possible(facts_at(entry, access));
}

// --- who writes a cell, and when

bool Feasibility::writes(std::size_t entry, const FixedCell& cell) const {
  if (program_.globals[cell.place.global].is_declaration() || accesses_.is_known_outside(cell.place.global))
    return true;
  const auto all = accesses_.all().find(cell.place.global);
  return all != accesses_.all().end() && std::ranges::any_of(all->second, [&](const Access& access) {
           return access.writes && reached_[entry][access.function.index()] && may_touch(access, cell);
         });
}

bool Feasibility::interrupters_write(std::size_t entry, const FixedCell& cell) {
  const auto [at, is_new] = interrupters_write_.try_emplace({entry, cell}, false);
  for (std::size_t i = 0; is_new && i < reached_.size() && !at->second; ++i)
    at->second = system_.can_interrupt(i, entry) && writes(i, cell);
  return at->second;
}

bool Feasibility::is_steady(std::size_t entry, const ReadCell& read, const Access& second) {
  if (interrupters_write(entry, read.cell)) return false;
  if (!writes(entry, read.cell)) return true;
  if (accesses_.is_known_outside(read.cell.place.global)) return false;
  return std::ranges::none_of(accesses_.all().at(read.cell.place.global), [&](const Access& access) {
    return access.writes && reached_[entry][access.function.index()] && may_touch(access, read.cell) &&
           ways_.may_follow(entry, {read.function, read.load}, point_of(access)) &&
           ways_.may_follow(entry, point_of(access), point_of(second));
  });
}

// --- the two accesses of the entry

bool Feasibility::is_redefined(const Way& way, ValueId value) const {
  const Function& function = program_.functions[way.function];
  if (function.is_parameter(value)) return false;
  const std::size_t at = function.definition(value);
  return (calls_.may_follow(way.function, way.first, at, way.rounds) &&
          calls_.may_follow(way.function, at, way.second, way.rounds)) ||
         calls_.share_loop(way.function, way.first, at, way.second);
}

bool Feasibility::values_allow(const Way& way) {
  const Conditions& here = conditions_.at(way.function, way.first);
  const Conditions& there = conditions_.at(way.function, way.second);
  if (here.are_impossible() || there.are_impossible()) return false;
  for (const auto& [value, range] : here.values) {
    const auto other = there.values.find(value);
    if (other == there.values.end()) continue;
    if (depend::are_apart(range, other->second) && !is_redefined(way, value)) return false;
    if (way.rounds == Rounds::Many && !counts_from(way, value, range, other->second)) return false;
  }
  return true;
}

/// A later round of the loop that counts may have a number of the second range, after one of the first.
bool Feasibility::counts_from(const Way& way, ValueId value, const Range& first, const Range& second) const {
  const int direction = conditions_.direction(way.function, value);
  const Function& function = program_.functions[way.function];
  if (direction == 0 || !calls_.is_passed_once(way.function, function.definition(value), way.first, way.second))
    return true;
  return direction > 0 ? first.low < second.high : first.high > second.low;
}

/// Of what the function itself works out.
bool Feasibility::relations_allow(std::size_t entry, const Way& way, const Access& second) {
  const auto is_kept = [&](const Relation& relation) {
    return std::ranges::none_of(relation.values, [&](ValueId value) { return is_redefined(way, value); }) &&
           std::ranges::all_of(relation.cells, [&](const ReadCell& read) { return is_steady(entry, read, second); });
  };
  const std::vector<Relation>& there = conditions_.at(way.function, way.second).relations;
  for (const Relation& one : conditions_.at(way.function, way.first).relations)
    for (const Relation& other : there)
      if (depend::are_apart(one, other) && is_kept(one) && is_kept(other)) return false;
  return true;
}

/// Something was true before the first access that must be false later, and did not change.
bool Feasibility::are_apart(std::size_t entry, const Facts& before, const Facts& later, const Access& second) {
  for (const CellFact& one : before.cells)
    for (const CellFact& other : later.cells)
      if (one.read.cell == other.read.cell && depend::are_apart(one.range, other.range) &&
          is_steady(entry, one.read, second))
        return true;
  for (const Relation& one : before.relations)
    for (const Relation& other : later.relations)
      if (depend::are_apart(one, other) &&
          std::ranges::all_of(one.cells, [&](const ReadCell& read) { return is_steady(entry, read, second); }))
        return true;
  return false;
}

bool Feasibility::allows(std::size_t entry, const Way& way, const Access& first, const Access& second) {
  if (!allows(entry, first) || !allows(entry, second) || !values_allow(way) || !relations_allow(entry, way, second))
    return false;
  const Facts before = facts_at(entry, way, way.first, first);
  if (!are_possible(before)) return false;
  const Facts later = facts_at(entry, way, way.second, second);
  return are_possible(later) && !are_apart(entry, before, later, second);
}

// --- the access between them

bool Feasibility::allows(std::size_t entry, std::size_t interrupter, const Way& way, const Access& first,
                         const Access& second, const Access& between) {
  const Facts there = facts_at(interrupter, between);
  if (are_apart(entry, facts_at(entry, way, way.first, first), there, second)) return false;
  return std::ranges::all_of(there.cells, [&](const CellFact& fact) {
    const Number value = value_on_way(entry, fact.read.cell, first, second);
    return !value || fact.range.holds(*value);
  });
}

/// What the cell holds from the first access to the second, if the entry alone decides that.
Feasibility::Number Feasibility::value_on_way(std::size_t entry, const FixedCell& cell, const Access& first,
                                              const Access& second) {
  if (interrupters_write(entry, cell) || accesses_.is_known_outside(cell.place.global)) return std::nullopt;
  const auto all = accesses_.all().find(cell.place.global);
  if (all == accesses_.all().end()) return std::nullopt;
  for (const Access& access : all->second)
    if (access.writes && reached_[entry][access.function.index()] && may_touch(access, cell) &&
        ways_.may_follow(entry, point_of(first), point_of(access)) &&
        ways_.may_follow(entry, point_of(access), point_of(second)))
      return std::nullopt;
  return value_at(entry, cell, point_of(first), 0);
}

/// By instruction of the function, a call or a store: what is there behind it.
std::map<std::size_t, Feasibility::Number> Feasibility::stores_in(const FixedCell& cell, FunctionId function) {
  std::map<std::size_t, Number> stores;
  std::vector<FunctionId> writers;
  const auto all = accesses_.all().find(cell.place.global);
  if (all == accesses_.all().end()) return stores;
  for (const Access& access : all->second) {
    if (!access.writes || !may_touch(access, cell)) continue;
    writers.push_back(access.function);
    if (access.function == function) stores[access.instruction] = values_.stored(access, cell);
  }
  const auto leading = calls_.leading_to(writers);
  const auto code = program_.functions[function].instructions;
  for (std::size_t i = 0; i < code.size(); ++i)
    if (code[i].is_call() &&
        std::ranges::any_of(calls_.targets(function, i), [&](FunctionId target) { return leading.contains(target); }))
      stores[i] = std::nullopt;
  return stores;
}

Feasibility::Number Feasibility::value_at_begin(std::size_t entry, const FixedCell& cell, FunctionId function,
                                                int depth) {
  if (function == system_.entries()[entry].function || depth >= most_callers) return std::nullopt;
  Number common;
  for (const CallPoint& call : calls_.callers(function)) {
    if (!reached_[entry][call.caller.index()]) continue;
    const Number value = value_at(entry, cell, {call.caller, call.instruction}, depth + 1);
    if (!value || (common && *common != *value)) return std::nullopt;
    common = value;
  }
  return common;
}

Feasibility::Number Feasibility::value_at(std::size_t entry, const FixedCell& cell, const Point& point, int depth) {
  const FunctionId id = point.function;
  return last_step(program_.functions[id], calls_.cfg(id), stores_in(cell, id), calls_.block_of(id, point.instruction),
                   point.instruction, value_at_begin(entry, cell, id, depth));
}

// --- one that had to be let in

/// What the cell may hold once the lifter has let somebody in, until the second access.
Numbered Feasibility::values_behind(std::size_t entry, const Lifter& lifter, const FixedCell& cell,
                                    const Access& second) {
  std::set<std::int64_t> numbers;
  for (const Point& end : lifter.ends) {
    const Number value = value_at(lifter.entry, cell, end, 0);
    if (!value) return std::nullopt;
    numbers.insert(*value);
  }
  const auto all = accesses_.all().find(cell.place.global);
  if (lifter.ends.empty() || all == accesses_.all().end()) return std::nullopt;
  for (const Access& access : all->second) {
    if (!access.writes || !may_touch(access, cell)) continue;
    const Point store = point_of(access);
    bool counts = false;
    for (std::size_t k = 0; k < reached_.size() && !counts; ++k) {
      if (!reached_[k][access.function.index()]) continue;
      const auto follows = [&](const Point& point) { return ways_.may_follow(k, point, store); };
      if (k == lifter.entry)
        counts = std::ranges::any_of(lifter.ends, follows);
      else if (k == entry)
        counts = std::ranges::any_of(lifter.begins, follows) && ways_.may_follow(k, store, point_of(second));
      else
        counts = system_.can_interrupt(k, entry);
    }
    if (!counts) continue;
    const Number value = values_.stored(access, cell);
    if (!value) return std::nullopt;
    numbers.insert(*value);
  }
  return numbers;
}

bool Feasibility::allows(std::size_t entry, std::size_t interrupter, const std::vector<Lifter>& lifters,
                         const Access& second, const Access& between) {
  if (lifters.empty()) return true;
  for (const CellFact& fact : facts_at(interrupter, between).cells) {
    if (accesses_.is_known_outside(fact.read.cell.place.global)) continue;
    const bool is_possible = std::ranges::any_of(lifters, [&](const Lifter& lifter) {
      const Numbered numbers = values_behind(entry, lifter, fact.read.cell, second);
      return !numbers || std::ranges::any_of(*numbers, [&](std::int64_t one) { return fact.range.holds(one); });
    });
    if (!is_possible) return false;
  }
  return true;
}

}  // namespace heddle::depend
