// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/interpreted/consumed_values.h"

#include <algorithm>

namespace heddle::explore {
namespace {

/// Variables of a function of which nobody takes the address.
std::vector<bool> own_variables(const Function& function) {
  std::vector<bool> own(function.value_count());
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    own[function.result_of(i).index()] = function.instructions[i].opcode == Opcode::Alloca;
  for (const Instruction& code : function.instructions) {
    const auto operands = function.operands_of(code);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const bool is_address = (code.opcode == Opcode::Load && i == 0) || (code.opcode == Opcode::Store && i == 1);
      if (operands[i].is_value() && !is_address) own[operands[i].as_value().index()] = false;
    }
  }
  return own;
}

bool decides_only(Opcode opcode) {
  return opcode == Opcode::CondBranch || opcode == Opcode::Switch || opcode == Opcode::Branch ||
         opcode == Opcode::Unreachable || opcode == Opcode::Fence;
}

}  // namespace

ConsumedValues::ConsumedValues(const Program& program) : program_(program) {
  for (const Function& function : program.functions)
    is_used_ = is_used_ || std::ranges::any_of(function.instructions, &Instruction::may_consume);
  if (!is_used_) return;
  for (const Function& function : program.functions) {
    values_.emplace_back(function.value_count());
    contents_.emplace_back(function.value_count());
    own_.push_back(own_variables(function));
  }
  results_.resize(program.functions.size());
  do {
    changed_ = false;
    for (std::size_t f = 0; f < program.functions.size() && !is_everywhere_; ++f)
      for (std::size_t i = 0; i < program.functions[FunctionId(f)].instructions.size(); ++i) look_at(FunctionId(f), i);
  } while (changed_ && !is_everywhere_);
}

bool ConsumedValues::may_reach(FunctionId function, std::uint32_t instruction) const {
  if (!is_used_ || is_everywhere_ || !function.valid() || function.index() >= values_.size()) return true;
  const Function& body = program_.functions[function];
  if (instruction >= body.instructions.size()) return true;
  return any_depends(function, body.operands_of(body.instructions[instruction]));
}

bool ConsumedValues::any_depends(FunctionId id, std::span<const Operand> operands) const {
  return std::ranges::any_of(
      operands, [&](Operand operand) { return operand.is_value() && values_[id.index()][operand.as_value().index()]; });
}

void ConsumedValues::add(FunctionId id, ValueId value) {
  auto known = values_[id.index()][value.index()];
  changed_ = changed_ || !known;
  known = true;
}

void ConsumedValues::look_at(FunctionId id, std::size_t number) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[number];
  const auto operands = function.operands_of(code);
  if (code.is_call()) return pass_to_call(id, code);
  const bool reads_content =
      code.opcode == Opcode::Load && operands[0].is_value() && contents_[id.index()][operands[0].as_value().index()];
  if (code.may_consume() || reads_content) add(id, function.result_of(number));
  if (!any_depends(id, operands)) return;
  switch (code.opcode) {
    case Opcode::Store: return pass_to_memory(id, operands[1]);
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw: add(id, function.result_of(number)); return pass_to_memory(id, operands[0]);
    case Opcode::MemCopy:
    case Opcode::MemSet:
    case Opcode::VaArg:
    case Opcode::Resume:
    case Opcode::Unsupported: is_everywhere_ = true; return;
    case Opcode::Return:
      changed_ = changed_ || !results_[id.index()];
      results_[id.index()] = true;
      return;
    default:
      if (!decides_only(code.opcode)) add(id, function.result_of(number));
  }
}

/// Only a variable that nobody else can name is followed.
void ConsumedValues::pass_to_memory(FunctionId id, Operand address) {
  if (!address.is_value() || !own_[id.index()][address.as_value().index()]) {
    is_everywhere_ = true;
    return;
  }
  auto content = contents_[id.index()][address.as_value().index()];
  changed_ = changed_ || !content;
  content = true;
}

void ConsumedValues::pass_to_call(FunctionId id, const Instruction& call) {
  const Function& function = program_.functions[id];
  const Operand callee = function.operands_of(call)[0];
  const auto arguments = function.arguments_of(call);
  const auto number = static_cast<std::size_t>(&call - function.instructions.data());
  const bool is_known = callee.is_function() && program_.functions[callee.as_function()].has_body();
  if (is_known ? results_[callee.as_function().index()] : std::ranges::any_of(results_, std::identity{}))
    add(id, function.result_of(number));
  if (!any_depends(id, function.operands_of(call))) return;
  if (!is_known || arguments.size() > program_.functions[callee.as_function()].parameters.size()) {
    is_everywhere_ = true;
    return;
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (any_depends(id, arguments.subspan(i, 1))) add(callee.as_function(), ValueId(i));
}

}  // namespace heddle::explore
