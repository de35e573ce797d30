// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/conditions.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_blocks = 400;
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

Predicate opposite(Predicate predicate) {
  switch (predicate) {
    case Predicate::Eq: return Predicate::Ne;
    case Predicate::Ne: return Predicate::Eq;
    case Predicate::Sgt: return Predicate::Sle;
    case Predicate::Sge: return Predicate::Slt;
    case Predicate::Slt: return Predicate::Sge;
    case Predicate::Sle: return Predicate::Sgt;
    case Predicate::Ugt: return Predicate::Ule;
    case Predicate::Uge: return Predicate::Ult;
    case Predicate::Ult: return Predicate::Uge;
    case Predicate::Ule: return Predicate::Ugt;
    default: return predicate;
  }
}

/// Of `value predicate number`; nothing: it cannot be said. Unsigned comparisons count where they say "small".
std::optional<Range> range_of(Predicate predicate, std::int64_t number) {
  switch (predicate) {
    case Predicate::Eq: return Range{number, number, {}};
    case Predicate::Ne: return Range{lowest, highest, {number}};
    case Predicate::Sgt: return number == highest ? std::nullopt : std::optional(Range{number + 1, highest, {}});
    case Predicate::Sge: return Range{number, highest, {}};
    case Predicate::Slt: return number == lowest ? std::nullopt : std::optional(Range{lowest, number - 1, {}});
    case Predicate::Sle: return Range{lowest, number, {}};
    case Predicate::Ult: return number > 0 ? std::optional(Range{0, number - 1, {}}) : std::nullopt;
    case Predicate::Ule: return number >= 0 ? std::optional(Range{0, number, {}}) : std::nullopt;
    default: return std::nullopt;
  }
}

void meet(Range& into, const Range& other) {
  into.low = std::max(into.low, other.low);
  into.high = std::min(into.high, other.high);
  into.without.insert(other.without.begin(), other.without.end());
}

/// A wider form of a number says the same of it if it is small.
bool is_small(const Range& range) {
  const auto fits = [](std::int64_t number) { return number >= 0 && number <= 127; };
  const bool is_one = range.low == range.high && fits(range.low);
  const bool is_not_one = range.low == lowest && range.high == highest && std::ranges::all_of(range.without, fits);
  return is_one || is_not_one;
}

}  // namespace

bool are_apart(const Range& a, const Range& b) {
  Range both = a;
  meet(both, b);
  if (both.low > both.high) return true;
  return both.low == both.high && both.without.contains(both.low);
}

std::optional<ConditionFinder::Fact> ConditionFinder::fact_of(const Function& function, Operand condition,
                                                              bool holds) const {
  const auto defined = [&](Operand operand) -> const Instruction* {
    if (!operand.is_value() || function.is_parameter(operand.as_value())) return nullptr;
    return &function.instructions[function.definition(operand.as_value())];
  };
  const Instruction* code = defined(condition);
  Fact fact{condition, {holds, holds, {}}};
  if (code != nullptr && code->opcode == Opcode::Compare) {
    const auto operands = function.operands_of(*code);
    if (!operands[1].is_constant()) return std::nullopt;
    const Constant& constant = program_.constants[operands[1].as_constant()];
    const auto number =
        constant.kind == Constant::Kind::Null ? std::optional<std::int64_t>(0) : signed_number(program_, constant);
    const Predicate predicate = holds ? code->predicate() : opposite(code->predicate());
    const auto range = number ? range_of(predicate, *number) : std::nullopt;
    if (!range) return std::nullopt;
    fact = {operands[0], *range};
  }
  for (code = defined(fact.subject); code != nullptr && code->opcode == Opcode::Cast; code = defined(fact.subject)) {
    const CastOp cast = code->cast_op();
    const bool widens = (cast == CastOp::ZExt || cast == CastOp::SExt) && is_small(fact.range);
    const bool is_bool = cast == CastOp::Trunc && program_.types[code->type].value_bits == 1 && is_small(fact.range);
    if (!widens && !is_bool) break;
    fact.subject = function.operands_of(*code)[0];
  }
  return fact;
}

void ConditionFinder::add(FunctionId id, const Fact& fact, Conditions& to) const {
  if (!fact.subject.is_value()) return;
  const Function& function = program_.functions[id];
  const ValueId value = fact.subject.as_value();
  const auto put = [&](auto& ranges, const auto& key) {
    const auto [at, is_new] = ranges.try_emplace(key, fact.range);
    if (!is_new) meet(at->second, fact.range);
  };
  put(to.values, value);
  if (function.is_parameter(value)) return;
  const Instruction& code = function.instructions[function.definition(value)];
  if (code.opcode != Opcode::Load) return;
  if (const auto place = places_.place(id, function.operands_of(code)[0])) put(to.places, *place);
}

std::vector<bool> ConditionFinder::reached_without(FunctionId function, BlockId from, BlockId to) const {
  const flow::Cfg& cfg = calls_.cfg(function);
  std::vector<bool> reached(cfg.successors.size());
  std::vector<BlockId> todo{BlockId(0)};
  reached[0] = true;
  while (!todo.empty()) {
    const BlockId here = todo.back();
    todo.pop_back();
    for (const BlockId next : cfg.successors[here.index()]) {
      if (reached[next.index()] || (here == from && next == to)) continue;
      reached[next.index()] = true;
      todo.push_back(next);
    }
  }
  return reached;
}

/// It holds where only this edge leads.
void ConditionFinder::add_edge(FunctionId function, BlockId from, BlockId to, const Fact& fact,
                               std::vector<Conditions>& found) {
  const std::vector<bool> without = reached_without(function, from, to);
  for (const BlockId block : calls_.cfg(function).order)
    if (!without[block.index()]) add(function, fact, found[block.index()]);
}

const std::vector<Conditions>& ConditionFinder::of_blocks(FunctionId id) {
  const auto [at, is_new] = blocks_.try_emplace(id);
  if (!is_new) return at->second;
  const Function& function = program_.functions[id];
  std::vector<Conditions>& found = at->second;
  found.resize(function.blocks.size());
  if (function.blocks.size() > most_blocks) return found;
  for (const BlockId block : calls_.cfg(id).order) {
    const Block& code = function.blocks[block.index()];
    const Instruction& last = function.instructions[code.first + code.count - 1];
    const auto operands = function.operands_of(last);
    if (last.opcode == Opcode::CondBranch && operands[1] != operands[2]) {
      for (const bool holds : {true, false})
        if (const auto fact = fact_of(function, operands[0], holds))
          add_edge(id, block, operands[holds ? 1 : 2].as_block(), *fact, found);
    }
    if (last.opcode != Opcode::Switch) continue;
    std::map<BlockId, int> edges;
    for (std::size_t i = 1; i < operands.size(); i += 2) ++edges[operands[i].as_block()];
    for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
      const auto number = signed_number(program_, program_.constants[operands[i].as_constant()]);
      if (number && edges[operands[i + 1].as_block()] == 1)
        add_edge(id, block, operands[i + 1].as_block(), {operands[0], {*number, *number, {}}}, found);
    }
  }
  return found;
}

const Conditions& ConditionFinder::at(FunctionId function, std::size_t instruction) {
  return of_blocks(function)[calls_.block_of(function, instruction).index()];
}

}  // namespace heddle::depend
