// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/objects/taken_objects.h"

#include <algorithm>

#include "api/action.h"
#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

constexpr int deepest = 40;  ///< pointers and calls that are followed backward

/// One expression, as it is written: the same loads of the same addresses.
bool is_same(const Function& function, Operand a, Operand b, int depth) {
  if (a == b) return true;
  const Instruction* x = definition_of(function, a);
  const Instruction* y = definition_of(function, b);
  if (depth == 0 || x == nullptr || y == nullptr || x->opcode != y->opcode) return false;
  if (x->opcode != Opcode::Gep && x->opcode != Opcode::Load && x->opcode != Opcode::Cast) return false;
  if (x->opcode == Opcode::Gep &&
      (function.geps[x->extra].constant_offset != function.geps[y->extra].constant_offset ||
       !std::ranges::equal(function.geps[x->extra].strides, function.geps[y->extra].strides)))
    return false;
  const auto of_x = function.operands_of(*x), of_y = function.operands_of(*y);
  return std::ranges::equal(of_x, of_y, [&](Operand p, Operand q) { return is_same(function, p, q, depth - 1); });
}

/// The object that a pointer was read from: of `q.slot[i]`, the pointer to `q`.
Operand container_of(const Function& function, Operand address) {
  const Operand base = base_of(function, address);
  const Instruction* code = definition_of(function, base);
  return code != nullptr && code->opcode == Opcode::Load ? base_of(function, function.operands_of(*code)[0]) : base;
}

}  // namespace

bool makes_memory(const ScanInput& input, Operand callee) {
  const api::Model* model = callee.is_function() ? input.models[callee.as_function().index()] : nullptr;
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto memory = api::get<api::MakeMemory>(effect);
           return memory && memory->into == api::Effect::none;
         });
}

TakenObjects::TakenObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries, const Reach& reach)
    : in_(input), summaries_(summaries), reach_(reach), callers_(summaries.size()) {
  for (std::uint32_t f = 0; f < summaries.size(); ++f)
    if (reach.is_reached(FunctionId(f)))
      for (const SummaryCall& call : summaries[f].calls)
        callers_[call.callee.index()].push_back({FunctionId(f), call.instruction});
}

bool TakenObjects::has(const Candidate& access) {
  const OwnAccess& own = summaries_[access.function.index()].own[access.own];
  const Function& function = in_.program.functions[access.function];
  const Instruction& code = function.instructions[own.instruction];
  const auto operands = code.is_call() ? function.arguments_of(code) : function.operands_of(code);
  return own.address < operands.size() && is_taken(access.function, operands[own.address], {false, deepest});
}

bool TakenObjects::is_taken(FunctionId id, Operand pointer, Way way) {
  if (!pointer.is_value() || way.left == 0) return false;
  const auto [at, is_new] = known_.try_emplace({id, pointer.index(), way.is_behind}, Answer::Asked);
  // What depends on itself alone goes round a loop: the other ways into it decide.
  if (!is_new) return at->second != Answer::No;
  const bool is_yes = find_taken(id, pointer, way);
  at->second = is_yes ? Answer::Yes : Answer::No;
  return is_yes;
}

bool TakenObjects::find_taken(FunctionId id, Operand pointer, Way way) {
  const Function& function = in_.program.functions[id];
  if (function.is_parameter(pointer.as_value())) return is_taken_by_callers(id, pointer.index(), way);
  const std::size_t number = function.definition(pointer.as_value());
  const Instruction& code = function.instructions[number];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Alloca: return !way.is_behind;
    case Opcode::Gep:
    case Opcode::Cast:
    case Opcode::Freeze: return is_taken(id, operands[0], way.further());
    case Opcode::Select: return are_taken(id, operands.subspan(1), way);
    case Opcode::Phi: return are_taken(id, operands, way);
    case Opcode::Load: return takes_off(id, number) || is_taken(id, operands[0], way.behind());
    case Opcode::Call:
    case Opcode::Invoke: return is_returned_taken(id, number, way);
    default: return false;
  }
}

/// Null does not count. Of what lies behind it is enough that one is taken off, if the function made the others.
bool TakenObjects::are_taken(FunctionId id, std::span<const Operand> pointers, Way way) {
  bool has_one = false;
  for (const Operand pointer : pointers) {
    if (pointer.is_block() || pointer.is_constant()) continue;
    if (!is_taken(id, pointer, {false, way.left - 1})) return false;
    has_one = has_one || !way.is_behind || is_taken(id, pointer, way.further());
  }
  return has_one;
}

bool TakenObjects::is_taken_by_callers(FunctionId id, std::uint32_t parameter, Way way) {
  return is_only_called(id) && std::ranges::all_of(callers_of(id), [&](const Call& call) {
           const Function& caller = in_.program.functions[call.caller];
           const auto arguments = caller.arguments_of(caller.instructions[call.instruction]);
           return parameter < arguments.size() && is_taken(call.caller, arguments[parameter], way.further());
         });
}

bool TakenObjects::is_returned_taken(FunctionId id, std::size_t call, Way way) {
  const Function& function = in_.program.functions[id];
  const Operand callee = function.operands_of(function.instructions[call])[0];
  if (!callee.is_function()) return false;
  const Function& target = in_.program.functions[callee.as_function()];
  if (!target.has_body()) return !way.is_behind && makes_memory(in_, callee);
  std::vector<Operand> returned;
  for (const Instruction& code : target.instructions)
    if (code.opcode == Opcode::Return && !target.operands_of(code).empty())
      returned.push_back(target.operands_of(code)[0]);
  return are_taken(callee.as_function(), returned, way);
}

bool TakenObjects::takes_off(FunctionId id, std::size_t load) const {
  constexpr int long_path = 8;
  const Function& function = in_.program.functions[id];
  const Operand slot = function.operands_of(function.instructions[load])[0];
  const Operand container = container_of(function, slot);
  const Operand taken = Operand::value(function.result_of(load));
  const bool is_gone = std::ranges::any_of(function.instructions, [&](const Instruction& code) {
    if (code.opcode != Opcode::Store) return false;
    const auto operands = function.operands_of(code);
    if (is_same(function, operands[1], slot, long_path)) return without_casts(function, operands[0]) != taken;
    return is_one_less(in_.program, function, operands[0]) &&
           is_same(function, base_of(function, operands[1]), container, long_path);
  });
  return is_gone && holds_a_lock(id, load);
}

/// `n - 1`.
bool TakenObjects::is_one_less(const Program& program, const Function& function, Operand value) {
  const Instruction* code = definition_of(function, without_casts(function, value));
  if (code == nullptr || code->opcode != Opcode::Binary) return false;
  const std::optional<std::int64_t> by = constant_number(program, function, function.operands_of(*code)[1]);
  return (code->binary_op() == BinaryOp::Add && by == -1) || (code->binary_op() == BinaryOp::Sub && by == 1);
}

bool TakenObjects::holds_a_lock(FunctionId id, std::size_t load) const {
  const auto& visits = reach_.visits[id.index()];
  if (std::ranges::all_of(visits, [](const Visit& visit) { return !visit.reached || !visit.locks.empty(); }))
    return true;
  const FunctionSummary& summary = summaries_[id.index()];
  return std::ranges::any_of(summary.groups, [&](const AccessGroup& group) {
    const auto first = summary.own.begin() + group.first_own;
    return !summary.locksets[group.lockset].acquired.empty() &&
           std::any_of(first, first + group.own_count, [&](const OwnAccess& own) { return own.instruction == load; });
  });
}

}  // namespace heddle::scan
