// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/own_arguments.h"

#include <algorithm>
#include <map>

#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

struct Start {
  FunctionId function;
  const SummarySpawn* spawn = nullptr;
};

/// `i` in `for (…; i++)`.
bool is_counter(const Function& function, ValueId phi) {
  const Instruction& code = function.instructions[function.definition(phi)];
  return std::ranges::any_of(function.operands_of(code), [&](Operand one) {
    const Instruction* step = definition_of(function, one);
    if (step == nullptr || step->opcode != Opcode::Binary || step->binary_op() != BinaryOp::Add) return false;
    const auto operands = function.operands_of(*step);
    return operands[0] == Operand::value(phi) && operands[1].is_constant();
  });
}

/// `p` in `for (…; p = p->next)`.
bool goes_along(const Function& function, ValueId phi) {
  const Instruction& code = function.instructions[function.definition(phi)];
  return std::ranges::any_of(function.operands_of(code), [&](Operand one) {
    const Instruction* next = definition_of(function, one);
    if (next == nullptr || next->opcode != Opcode::Load) return false;
    const Operand from = function.operands_of(*next)[0];
    const Instruction* member = definition_of(function, from);
    return from == Operand::value(phi) || (member != nullptr && member->opcode == Opcode::Gep &&
                                           function.operands_of(*member)[0] == Operand::value(phi));
  });
}

/// Whether a value is another one in each round of a loop: a number that goes round, an address by such a number, the
/// next element of a list.
bool goes_round(const Function& function, Operand value, int depth) {
  const Instruction* code = definition_of(function, value);
  if (code == nullptr || depth == 0) return false;
  const auto operands = function.operands_of(*code);
  switch (code->opcode) {
    case Opcode::Phi: return is_counter(function, value.as_value()) || goes_along(function, value.as_value());
    case Opcode::Cast: return goes_round(function, operands[0], depth - 1);
    case Opcode::Gep:
      return std::ranges::any_of(operands, [&](Operand part) { return goes_round(function, part, depth - 1); });
    case Opcode::Binary:
      return (code->binary_op() == BinaryOp::Add || code->binary_op() == BinaryOp::Sub) &&
             std::ranges::any_of(operands, [&](Operand part) { return goes_round(function, part, depth - 1); });
    default: return false;
  }
}

/// One place gives each thread that it starts another argument.
bool differs_by_round(const Program& program, const Start& start) {
  constexpr int deep = 6;
  const Function& function = program.functions[start.function];
  const auto arguments = function.arguments_of(function.instructions[start.spawn->instruction]);
  return !arguments.empty() && goes_round(function, arguments.back(), deep);
}

bool are_told_apart(const Start& a, const Start& b) {
  const SymbolicValue& x = a.spawn->argument;
  const SymbolicValue& y = b.spawn->argument;
  return a.function == b.function && !x.is_unknown() && !y.is_unknown() && !(x == y);
}

bool comes_once(const Reach& reach, FunctionId function) {
  std::size_t visits = 0;
  for (const Visit& visit : reach.visits[function.index()]) {
    if (visit.many) return false;
    visits += visit.reached ? 1 : 0;
  }
  return visits == 1;
}

bool all_differ(const Program& program, const Reach& reach, const std::vector<Start>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    if (!comes_once(reach, starts[i].function)) return false;
    if (starts[i].spawn->in_loop && (starts.size() > 1 || !differs_by_round(program, starts[i]))) return false;
    for (std::size_t k = 0; k < i; ++k)
      if (!are_told_apart(starts[k], starts[i])) return false;
  }
  return !starts.empty();
}

}  // namespace

void find_own_arguments(const ScanInput& input, const std::vector<FunctionSummary>& summaries, Reach& reach) {
  std::map<FunctionId, std::vector<Start>> starts;
  bool is_some_unknown = false;
  for (std::uint32_t f = 0; f < summaries.size(); ++f) {
    if (!reach.is_reached(FunctionId(f))) continue;
    for (const SummarySpawn& spawn : summaries[f].spawns) {
      if (spawn.entry.is_code()) starts[spawn.entry.code].push_back({FunctionId(f), &spawn});
      is_some_unknown |= spawn.entry.is_unknown();
    }
  }
  if (is_some_unknown) return;
  for (Root& root : reach.roots)
    if (root.creator.valid() && !root.owns_argument)
      root.owns_argument = all_differ(input.program, reach, starts[root.entry]);
}

}  // namespace heddle::scan
