// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/team_doubts.h"

#include <algorithm>
#include <cstdlib>

#include "api/action.h"
#include "flow/cfg.h"
#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

constexpr std::uint32_t beginning = 0xffffffff;

bool is_step(const api::Model& model, api::WaitAtBarrier::Step step) {
  return std::ranges::any_of(model.effects, [&](const api::Effect& effect) {
    const auto wait = api::get<api::WaitAtBarrier>(effect);
    return wait && wait->step == step;
  });
}

bool returns_own(const api::Model& model) {
  return std::ranges::any_of(model.effects, [](const api::Effect& effect) {
    const auto value = api::get<api::ReturnValue>(effect);
    return value && value->what == api::ReturnValue::What::Own;
  });
}

}  // namespace

TeamDoubts::TeamDoubts(const ScanInput& input) : program_(input.program) { find_functions(input); }

void TeamDoubts::find_functions(const ScanInput& input) {
  const Program& program = input.program;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[FunctionId(i)];
    const api::Model* model = function.has_body() ? nullptr : input.models[i];
    if (model == nullptr) continue;
    has_teams_ = has_teams_ || is_step(*model, api::WaitAtBarrier::Step::Join);
    if (is_step(*model, api::WaitAtBarrier::Step::Wait)) waits_.insert(FunctionId(i));
    if (returns_own(*model)) deals_.insert(FunctionId(i));
  }
  if (!has_teams_) deals_.clear();
  if (!has_teams_ && waits_.empty()) return;
  constexpr int levels_of_dealing = 2;  // the library's own: what calls these further up deals out nothing
  bool grows = true;
  for (int level = 0; grows; ++level) {
    grows = false;
    std::set<FunctionId> new_deals;
    for (std::size_t i = 0; i < program.functions.size(); ++i) {
      const Function& function = program.functions[FunctionId(i)];
      for (const Instruction& code : function.instructions) {
        if (is_call_of(function, code, waits_) && waits_.insert(FunctionId(i)).second) grows = true;
        if (level < levels_of_dealing && is_call_of(function, code, deals_)) new_deals.insert(FunctionId(i));
      }
    }
    for (const FunctionId id : new_deals) grows = deals_.insert(id).second || grows;
  }
}

bool TeamDoubts::is_call_of(const Function& function, const Instruction& code,
                            const std::set<FunctionId>& functions) const {
  if (!code.is_call()) return false;
  const Operand callee = function.operands_of(code)[0];
  return callee.is_function() && functions.contains(callee.as_function());
}

const TeamDoubts::Body& TeamDoubts::body_of(FunctionId id) {
  const auto [at, is_new] = bodies_.try_emplace(id);
  if (!is_new) return at->second;
  find_phases(program_.functions[id], at->second);
  find_dealt(program_.functions[id], at->second);
  return at->second;
}

void TeamDoubts::find_phases(const Function& function, Body& body) const {
  const flow::Cfg cfg = flow::build_cfg(function, flow::Liveness::Skip);
  body.at_entry.resize(function.blocks.size());
  if (cfg.order.empty()) return;
  body.at_entry[cfg.order[0].index()].insert(beginning);
  for (bool grows = true; grows;) {
    grows = false;
    for (const BlockId block : cfg.order) {
      const Block& one = function.blocks[block.index()];
      const Barriers out = last_before(function, body, one.first + one.count);
      for (const BlockId next : cfg.successors[block.index()])
        for (const std::uint32_t barrier : out) grows = body.at_entry[next.index()].insert(barrier).second || grows;
    }
  }
}

/// A function that may wait does so in a team; where it may not, the barriers before it stay.
TeamDoubts::Barriers TeamDoubts::last_before(const Function& function, const Body& body,
                                             std::uint32_t instruction) const {
  for (std::size_t b = 0; b < function.blocks.size(); ++b) {
    const Block& block = function.blocks[b];
    if (instruction < block.first || instruction > block.first + block.count) continue;
    if (instruction == block.first + block.count && block.count == 0) continue;
    for (std::uint32_t i = instruction; i > block.first; --i)
      if (is_call_of(function, function.instructions[i - 1], waits_)) return {i - 1};
    return body.at_entry[b];
  }
  return {};
}

bool TeamDoubts::have_barrier_between(FunctionId id, std::uint32_t first, std::uint32_t second) {
  if (waits_.empty()) return false;
  const Body& body = body_of(id);
  const Function& function = program_.functions[id];
  const Barriers a = last_before(function, body, first), b = last_before(function, body, second);
  return std::ranges::none_of(a, [&](std::uint32_t barrier) { return b.contains(barrier); });
}

/// Forward from the variables that a dealing function is handed, and from what it returns.
void TeamDoubts::find_dealt(const Function& function, Body& body) const {
  std::set<std::uint32_t>& dealt = body.dealt_values;
  std::set<std::uint32_t> cells;  // local variables that hold such a number
  const auto is_cell = [&](Operand operand) {
    return operand.is_value() && cells.contains(operand.as_value().index());
  };
  const auto is_dealt = [&](Operand operand) {
    return operand.is_value() && dealt.contains(operand.as_value().index());
  };
  const auto is_variable = [&](Operand operand) {
    return operand.is_value() && !function.is_parameter(operand.as_value()) &&
           function.instructions[function.definition(operand.as_value())].opcode == Opcode::Alloca;
  };
  for (bool grows = true; grows;) {
    grows = false;
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      const auto operands = function.operands_of(code);
      const std::uint32_t result = function.result_of(i).index();
      if (is_call_of(function, code, deals_)) {
        for (const Operand argument : function.arguments_of(code))
          if (is_variable(argument)) grows = cells.insert(argument.as_value().index()).second || grows;
        grows = dealt.insert(result).second || grows;
      } else if (code.opcode == Opcode::Store) {
        if (is_variable(operands[1]) && is_dealt(operands[0]))
          grows = cells.insert(operands[1].as_value().index()).second || grows;
      } else if (code.opcode == Opcode::Load) {
        if (is_cell(operands[0])) grows = dealt.insert(result).second || grows;
      } else if (!code.is_call() && code.opcode != Opcode::Compare) {
        if (std::ranges::any_of(operands, is_dealt)) grows = dealt.insert(result).second || grows;
      }
    }
  }
}

void TeamDoubts::Sum::add(const Sum& other, std::int64_t factor) {
  constant += factor * other.constant;
  for (const auto& [value, times] : other.terms)
    if ((terms[value] += factor * times) == 0) terms.erase(value);
}

TeamDoubts::Sum TeamDoubts::sum_of(const Function& function, Operand operand, int depth) const {
  constexpr std::uint32_t globals = 0x80000000;
  Sum out;
  if (operand.is_global()) out.terms[globals | operand.as_global().index()] = 1;
  if (operand.is_constant())
    out.constant = signed_number(program_, program_.constants[operand.as_constant()]).value_or(0);
  if (!operand.is_value()) return out;
  const std::uint32_t value = operand.as_value().index();
  const Sum itself{0, {{value, 1}}};
  if (function.is_parameter(operand.as_value()) || depth == 0) return itself;
  const Instruction& code = function.instructions[function.definition(operand.as_value())];
  const auto operands = function.operands_of(code);
  const auto part = [&](std::size_t i) { return sum_of(function, operands[i], depth - 1); };
  if (code.opcode == Opcode::Cast && (code.cast_op() == CastOp::SExt || code.cast_op() == CastOp::ZExt)) return part(0);
  if (code.opcode == Opcode::Gep) {
    const GepInfo& info = function.geps[code.extra];
    out = part(0);
    out.constant += info.constant_offset;
    for (std::size_t i = 0; i < info.strides.size(); ++i)
      if (info.strides[i] != 0) out.add(part(i + 1), info.strides[i]);
    return out;
  }
  if (code.opcode != Opcode::Binary) return itself;
  const auto op = static_cast<BinaryOp>(code.detail);
  if (op == BinaryOp::Add || op == BinaryOp::Sub) {
    out = part(0);
    out.add(part(1), op == BinaryOp::Add ? 1 : -1);
    return out;
  }
  if (op != BinaryOp::Mul) return itself;
  const Sum left = part(0), right = part(1);
  if (!left.terms.empty() && !right.terms.empty()) return itself;
  out.add(left.terms.empty() ? right : left, left.terms.empty() ? left.constant : right.constant);
  return out;
}

TeamDoubts::Sum TeamDoubts::address_of(const Function& function, std::uint32_t instruction) const {
  constexpr int deep = 12;
  const Instruction& code = function.instructions[instruction];
  if (code.opcode != Opcode::Load && code.opcode != Opcode::Store) return {};
  return sum_of(function, function.operands_of(code)[code.opcode == Opcode::Load ? 0 : 1], deep);
}

bool TeamDoubts::is_first_parameter(const Function& function, ValueId value) {
  const Operand plain = without_casts(function, Operand::value(value));
  return plain.is_value() && plain.index() == 0 && function.is_parameter(plain.as_value());
}

bool TeamDoubts::go_by_parameter(FunctionId id, std::uint32_t first, std::uint32_t second) const {
  constexpr std::uint32_t globals = 0x80000000;
  const Function& function = program_.functions[id];
  const Sum address = address_of(function, first);
  if (address != address_of(function, second)) return false;
  const Instruction& code = function.instructions[first];
  const TypeId type = code.opcode == Opcode::Load ? code.type : code.access_type;
  const auto bytes = static_cast<std::int64_t>(type ? program_.types[type].size_bytes() : 0);
  bool has_parameter = false;
  for (const auto& [value, factor] : address.terms) {
    if (value >= globals) continue;
    if (!is_first_parameter(function, ValueId(value)) || bytes == 0 || std::abs(factor) < bytes) return false;
    has_parameter = true;
  }
  return has_parameter;
}

bool TeamDoubts::go_by_share(FunctionId id, std::uint32_t first, std::uint32_t second) {
  if (!has_teams_) return false;
  const Function& function = program_.functions[id];
  const Sum address = address_of(function, first);
  if (address != address_of(function, second)) return false;
  // Only numbers as they were dealt out: what was divided or masked may be the same for two threads.
  return std::ranges::any_of(address.terms, [&](const auto& term) {
    const auto [value, factor] = term;
    if (value >= 0x80000000 || !body_of(id).dealt_values.contains(value) || function.is_parameter(ValueId(value)))
      return false;
    const Opcode made = function.instructions[function.definition(ValueId(value))].opcode;
    return made == Opcode::Phi || made == Opcode::Load || made == Opcode::Call;
  });
}

}  // namespace heddle::scan
