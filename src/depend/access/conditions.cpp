// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/conditions.h"

#include <algorithm>

#include "program/model/accessed_bytes.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_blocks = 400;
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// Of `value predicate number`; nothing: it cannot be said. Unsigned comparisons count where they say "small".
std::optional<Range> range_of(Predicate predicate, std::int64_t number) {
  switch (predicate) {
    case Predicate::Eq: return Range{number, number, {}};
    case Predicate::Ne: return Range{smallest, largest, {number}};
    case Predicate::Sgt: return number == largest ? std::nullopt : std::optional(Range{number + 1, largest, {}});
    case Predicate::Sge: return Range{number, largest, {}};
    case Predicate::Slt: return number == smallest ? std::nullopt : std::optional(Range{smallest, number - 1, {}});
    case Predicate::Sle: return Range{smallest, number, {}};
    case Predicate::Ult: return number > 0 ? std::optional(Range{0, number - 1, {}}) : std::nullopt;
    case Predicate::Ule: return number >= 0 ? std::optional(Range{0, number, {}}) : std::nullopt;
    default: return std::nullopt;
  }
}

/// The range before the number was widened from so many bits without its sign; nothing: it is not one range.
std::optional<Range> before_widening(const Range& range, std::uint64_t bits) {
  if (bits == 0 || bits >= 63) return std::nullopt;
  const std::int64_t values = std::int64_t{1} << bits, half = values / 2;
  const auto narrow = [&](std::int64_t number) { return bits == 1 || number < half ? number : number - values; };
  const auto fits = [&](std::int64_t number) { return number >= 0 && number < values; };
  if (range.low == range.high && fits(range.low)) return Range{narrow(range.low), narrow(range.low), {}};
  if (range.low <= 0 && range.high >= values - 1) {
    Range out;
    for (const std::int64_t number : range.without)
      if (fits(number)) out.without.insert(narrow(number));
    return out.without.empty() ? std::nullopt : std::optional(out);
  }
  if (range.high < half) return Range{std::max<std::int64_t>(range.low, 0), range.high, range.without};
  return std::nullopt;
}

std::uint8_t orderings_of(Predicate predicate) {
  switch (predicate) {
    case Predicate::Eq: return Relation::Equal;
    case Predicate::Ne: return Relation::Less | Relation::Greater;
    case Predicate::Sgt:
    case Predicate::Ugt: return Relation::Greater;
    case Predicate::Sge:
    case Predicate::Uge: return Relation::Greater | Relation::Equal;
    case Predicate::Slt:
    case Predicate::Ult: return Relation::Less;
    case Predicate::Sle:
    case Predicate::Ule: return Relation::Less | Relation::Equal;
    default: return 0;
  }
}

bool is_unsigned(Predicate predicate) {
  return predicate == Predicate::Ugt || predicate == Predicate::Uge || predicate == Predicate::Ult ||
         predicate == Predicate::Ule;
}

}  // namespace

void meet(Range& into, const Range& other) {
  into.low = std::max(into.low, other.low);
  into.high = std::min(into.high, other.high);
  into.without.insert(other.without.begin(), other.without.end());
}

bool are_apart(const Range& a, const Range& b) {
  Range both = a;
  meet(both, b);
  return both.is_empty();
}

bool are_apart(const Relation& a, const Relation& b) {
  if (a.left != b.left || a.right != b.right) return false;
  return a.right.empty() ? are_apart(a.range, b.range) : (a.orderings & b.orderings) == 0;
}

bool Conditions::are_impossible() const {
  return std::ranges::any_of(values, [](const auto& one) { return one.second.is_empty(); });
}

std::optional<ConditionFinder::Fact> ConditionFinder::fact_of(FunctionId id, Operand condition, bool holds) const {
  const Function& function = program_.functions[id];
  const Instruction* code = definition_of(function, condition);
  Fact fact{condition, {holds, holds, {}}};
  if (code != nullptr && code->opcode == Opcode::Compare) {
    const auto operands = function.operands_of(*code);
    const bool is_null =
        operands[1].is_constant() && program_.constants[operands[1].as_constant()].kind == Constant::Kind::Null;
    const auto number = is_null ? std::optional<std::int64_t>(0) : numbers_.of(id, operands[1]);
    const Predicate predicate = holds ? code->predicate() : opposite(code->predicate());
    const auto range = number ? range_of(predicate, *number) : std::nullopt;
    if (!range) return std::nullopt;
    fact = {operands[0], *range};
  }
  for (code = definition_of(function, fact.subject); code != nullptr && code->opcode == Opcode::Cast;
       code = definition_of(function, fact.subject)) {
    const CastOp cast = code->cast_op();
    const Operand from = function.operands_of(*code)[0];
    if (cast == CastOp::ZExt) {
      const Instruction* narrow = definition_of(function, from);
      const auto before =
          narrow != nullptr ? before_widening(fact.range, program_.types[narrow->type].value_bits) : std::nullopt;
      if (!before) break;
      fact.range = *before;
    } else if (cast != CastOp::SExt && (cast != CastOp::Trunc || program_.types[code->type].value_bits != 1)) {
      break;
    }
    fact.subject = from;
  }
  const bool is_comparison = code != nullptr && code->opcode == Opcode::Compare && fact.subject != condition;
  if (is_comparison && fact.range.holds(0) != fact.range.holds(1))
    return fact_of(id, fact.subject, fact.range.holds(1));
  return fact;
}

std::optional<ReadCell> ConditionFinder::read_cell(FunctionId id, ValueId value) const {
  const Function& function = program_.functions[id];
  if (function.is_parameter(value)) return std::nullopt;
  const std::size_t at = function.definition(value);
  const Instruction& code = function.instructions[at];
  if (code.opcode != Opcode::Load) return std::nullopt;
  const auto place = places_.place(id, function.operands_of(code)[0]);
  if (!place) return std::nullopt;
  return ReadCell{{*place, accessed_bytes(program_.types[code.type])}, id, at};
}

std::string ConditionFinder::write_out(FunctionId id, Operand operand, Relation& relation, int depth) const {
  constexpr int deepest = 8;
  if (const auto number = numbers_.of(id, operand)) return std::to_string(*number);
  if (!operand.is_value() || depth > deepest) return {};
  const ValueId value = operand.as_value();
  if (const auto read = read_cell(id, value)) {
    relation.cells.push_back(*read);
    const auto& [place, size] = read->cell;
    return "g" + std::to_string(place.global.index()) + "+" + std::to_string(place.offset) + ":" + std::to_string(size);
  }
  const Function& function = program_.functions[id];
  const Instruction* code = definition_of(function, operand);
  if (code == nullptr || (code->opcode != Opcode::Binary && code->opcode != Opcode::Cast)) {
    relation.values.push_back(value);
    return "v" + std::to_string(value.index());
  }
  std::string out = (code->opcode == Opcode::Cast ? "c" : "b") + std::to_string(code->detail) + "." +
                    std::to_string(program_.types[code->type].value_bits);
  for (const Operand one : function.operands_of(*code)) {
    const std::string part = write_out(id, one, relation, depth + 1);
    if (part.empty()) return {};
    out += "(" + part + ")";
  }
  return out;
}

std::optional<Relation> ConditionFinder::relation_of(FunctionId id, Operand condition, bool holds) const {
  const Function& function = program_.functions[id];
  const Instruction* code = definition_of(function, condition);
  if (code == nullptr || code->opcode != Opcode::Compare) return std::nullopt;
  const auto operands = function.operands_of(*code);
  const Predicate predicate = holds ? code->predicate() : opposite(code->predicate());
  Relation relation;
  if (const auto number = numbers_.of(id, operands[1])) {
    const auto range = range_of(predicate, *number);
    relation.left = range ? write_out(id, operands[0], relation, 0) : "";
    relation.range = range.value_or(Range());
    return relation.left.empty() ? std::nullopt : std::optional(relation);
  }
  relation.orderings = orderings_of(predicate);
  const std::string sort = is_unsigned(predicate) ? "u" : "s";
  relation.left = write_out(id, operands[0], relation, 0);
  relation.right = write_out(id, operands[1], relation, 0);
  if (relation.orderings == 0 || relation.left.empty() || relation.right.empty()) return std::nullopt;
  if (relation.right < relation.left) {
    std::swap(relation.left, relation.right);
    const bool less = (relation.orderings & Relation::Less) != 0,
               greater = (relation.orderings & Relation::Greater) != 0;
    relation.orderings = static_cast<std::uint8_t>((relation.orderings & Relation::Equal) |
                                                   (less ? Relation::Greater : 0) | (greater ? Relation::Less : 0));
  }
  relation.left = sort + relation.left;
  return relation;
}

std::optional<bool> ConditionFinder::holds_with(FunctionId id, Operand condition, Operand subject,
                                                std::int64_t number) const {
  const auto fact = fact_of(id, condition, true);
  return fact && fact->subject == subject ? std::optional(fact->range.holds(number)) : std::nullopt;
}

Range ConditionFinder::made_range(FunctionId id, ValueId value) const {
  const Function& function = program_.functions[id];
  const Instruction* code = definition_of(function, Operand::value(value));
  if (code == nullptr || code->opcode != Opcode::Binary) return {};
  const auto by = numbers_.of(id, function.operands_of(*code)[1]);
  if (!by || *by <= 0) return {};
  const std::uint64_t bits = program_.types[code->type].value_bits;
  switch (code->binary_op()) {
    case BinaryOp::SRem: return {1 - *by, *by - 1, {}};
    case BinaryOp::URem: return {0, *by - 1, {}};
    case BinaryOp::And: return {0, *by, {}};
    case BinaryOp::LShr:
      if (bits > 64 || static_cast<std::uint64_t>(*by) >= bits) return {};
      return {0, static_cast<std::int64_t>((~std::uint64_t{0} >> (64 - bits)) >> static_cast<std::uint64_t>(*by)), {}};
    default: return {};
  }
}

void ConditionFinder::add(FunctionId id, const Fact& fact, Conditions& to) const {
  if (!fact.subject.is_value()) return;
  const ValueId value = fact.subject.as_value();
  const auto [at, is_new] = to.values.try_emplace(value, fact.range);
  meet(at->second, is_new ? made_range(id, value) : fact.range);
  if (const auto read = read_cell(id, value)) to.cells.push_back({*read, fact.range});
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
template <class Add>
void ConditionFinder::add_edge(FunctionId function, BlockId from, BlockId to, std::vector<Conditions>& found, Add add) {
  const std::vector<bool> without = reached_without(function, from, to);
  for (const BlockId block : calls_.cfg(function).order)
    if (!without[block.index()]) add(found[block.index()]);
}

void ConditionFinder::add_branch(FunctionId id, BlockId block, std::vector<Conditions>& found) {
  const Function& function = program_.functions[id];
  const Block& code = function.blocks[block.index()];
  const auto operands = function.operands_of(function.instructions[code.first + code.count - 1]);
  if (operands[1] == operands[2]) return;
  for (const bool holds : {true, false}) {
    const auto fact = fact_of(id, operands[0], holds);
    const auto relation = relation_of(id, operands[0], holds);
    if (!fact && !relation) continue;
    add_edge(id, block, operands[holds ? 1 : 2].as_block(), found, [&](Conditions& to) {
      if (fact) add(id, *fact, to);
      if (relation) to.relations.push_back(*relation);
    });
  }
}

void ConditionFinder::add_switch(FunctionId id, BlockId block, std::vector<Conditions>& found) {
  const Function& function = program_.functions[id];
  const Block& code = function.blocks[block.index()];
  const auto operands = function.operands_of(function.instructions[code.first + code.count - 1]);
  std::map<BlockId, int> edges;
  for (std::size_t i = 1; i < operands.size(); i += 2) ++edges[operands[i].as_block()];
  for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
    const auto number = signed_number(program_, program_.constants[operands[i].as_constant()]);
    const BlockId to = operands[i + 1].as_block();
    if (!number || edges[to] != 1) continue;
    add_edge(id, block, to, found, [&](Conditions& at) { add(id, {operands[0], {*number, *number, {}}}, at); });
  }
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
    const Opcode last = function.instructions[code.first + code.count - 1].opcode;
    if (last == Opcode::CondBranch) add_branch(id, block, found);
    if (last == Opcode::Switch) add_switch(id, block, found);
  }
  return found;
}

const Conditions& ConditionFinder::at(FunctionId function, std::size_t instruction) {
  return of_blocks(function)[calls_.block_of(function, instruction).index()];
}

std::optional<ConditionFinder::Counter> ConditionFinder::counter(FunctionId id, ValueId value) const {
  const Function& function = program_.functions[id];
  const Instruction* code = definition_of(function, Operand::value(value));
  if (code == nullptr || code->opcode != Opcode::Phi) return std::nullopt;
  const auto operands = function.operands_of(*code);
  Counter found{{largest, smallest, {}}, {largest, smallest, {}}};
  const auto add = [](Range& to, std::int64_t number) {
    to.low = std::min(to.low, number);
    to.high = std::max(to.high, number);
  };
  for (std::size_t i = 0; i + 1 < operands.size(); i += 2) {
    if (const auto number = numbers_.of(id, operands[i])) {
      add(found.begins, *number);
      continue;
    }
    const Instruction* step = definition_of(function, operands[i]);
    const bool is_sum = step != nullptr && step->opcode == Opcode::Binary && step->binary_op() == BinaryOp::Add &&
                        step->has_flag(Instruction::no_signed_wrap);
    if (!is_sum || function.operands_of(*step)[0] != Operand::value(value)) return std::nullopt;
    const auto by = numbers_.of(id, function.operands_of(*step)[1]);
    if (!by) return std::nullopt;
    add(found.steps, *by);
  }
  const bool is_counter = found.begins.low <= found.begins.high && found.steps.low <= found.steps.high;
  return is_counter ? std::optional(found) : std::nullopt;
}

int ConditionFinder::direction(FunctionId function, ValueId value) const {
  const auto found = counter(function, value);
  if (!found) return 0;
  return found->steps.low > 0 ? 1 : found->steps.high < 0 ? -1 : 0;
}

Range ConditionFinder::range(FunctionId id, std::size_t instruction, Operand operand) {
  if (const auto number = numbers_.of(id, operand)) return {*number, *number, {}};
  if (!operand.is_value()) return {};
  const Function& function = program_.functions[id];
  const ValueId value = operand.as_value();
  const auto& known = at(id, instruction).values;
  Range range = made_range(id, value);
  if (const auto counts = counter(id, value)) {
    if (counts->steps.low >= 0) range.low = counts->begins.low;
    if (counts->steps.high <= 0) range.high = counts->begins.high;
  }
  if (const auto fact = known.find(value); fact != known.end()) meet(range, fact->second);
  const Instruction* code = definition_of(function, operand);
  if (code == nullptr || code->opcode != Opcode::Cast) return range;
  const Range before = this->range(id, instruction, function.operands_of(*code)[0]);
  if (code->cast_op() == CastOp::SExt || (code->cast_op() == CastOp::ZExt && before.low >= 0)) meet(range, before);
  return range;
}

}  // namespace heddle::depend
