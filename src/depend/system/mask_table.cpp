// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/mask_table.h"

#include <algorithm>
#include <set>

#include "depend/system/asm_masks.h"
#include "depend/system/status_register.h"
#include "program/model/device_register.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

std::optional<std::int64_t> constant_argument(const Program& program, const Function& function, const Instruction& call,
                                              std::size_t which) {
  const auto arguments = function.arguments_of(call);
  return which < arguments.size() ? constant_number(program, function, arguments[which]) : std::nullopt;
}

MaskStep::Of all_of(const api::MaskRule& rule) {
  return rule.of == api::MaskRule::Of::Tasks ? MaskStep::Of::Tasks : MaskStep::Of::Everything;
}

/// Internal ones may be called `name@unit`.
std::string_view plain_name(const Function& function) { return function.name.substr(0, function.name.find('@')); }

bool is_opaque(const Program& program, const Function& function, const Instruction& code) {
  if (!code.is_call())
    return std::ranges::any_of(function.operands_of(code), [&](Operand operand) {
      return operand.is_global() && device_address(program.globals[operand.as_global()]);
    });
  return !function.operands_of(code)[0].is_function();
}

}  // namespace

MaskTable::MaskTable(const Program& program, std::vector<api::MaskRule> rules) : rules_(std::move(rules)) {
  for (std::uint32_t i = 0; i < rules_.size(); ++i) {
    for (const std::string& name : rules_[i].disable) functions_.insert_or_assign(name, Row{i, MaskStep::Step::Begin});
    for (const std::string& name : rules_[i].enable) functions_.insert_or_assign(name, Row{i, MaskStep::Step::End});
    for (const std::string& name : rules_[i].restore)
      functions_.insert_or_assign(name, Row{i, MaskStep::Step::Restore});
  }
  std::vector<std::string> own;
  for (const Function& function : program.functions) {
    const auto row = function.has_body() ? functions_.find(plain_name(function)) : functions_.end();
    if (row != functions_.end() && rules_[row->second.rule].file.starts_with("models/") &&
        can_be_followed(program, function))
      own.push_back(row->first);
  }
  for (const std::string& name : own) functions_.erase(name);
}

/// By calls that name their function, to the end.
bool MaskTable::can_be_followed(const Program& program, const Function& function) const {
  std::vector<const Function*> todo{&function};
  std::set<const Function*> seen{&function};
  while (!todo.empty()) {
    const Function& here = *todo.back();
    todo.pop_back();
    for (const Instruction& code : here.instructions) {
      if (is_opaque(program, here, code)) return false;
      if (!code.is_call()) continue;
      const Function& callee = program.functions[here.operands_of(code)[0].as_function()];
      const bool is_known = callee.has_body() || callee.is_intrinsic || functions_.contains(plain_name(callee));
      if (!is_known) return false;
      if (seen.insert(&callee).second) todo.push_back(&callee);
    }
  }
  return true;
}

MaskTable::Rows::const_iterator MaskTable::row_of(const Function& called) const {
  return functions_.find(plain_name(called));
}

/// Without the value of its argument.
MaskStep MaskTable::made(const Row& row) const {
  const api::MaskRule& rule = rules_[row.rule];
  // Masks of all interrupts are one flag of the processor, whoever sets it.
  const bool is_flag = rule.of == api::MaskRule::Of::Interrupts && !rule.argument;
  MaskStep step{row.step, all_of(rule), 0, is_flag ? 0 : row.rule + 1, rule.of == api::MaskRule::Of::Section,
                rule.name};
  if (!rule.argument) return step;
  step.of = MaskStep::Of::Unknown;
  step.all = rule.all;
  step.offset = rule.offset;
  return step;
}

std::optional<MaskStep> MaskTable::step_of(const Function& called) const {
  const auto row = row_of(called);
  return row == functions_.end() ? std::nullopt : std::optional(made(row->second));
}

std::optional<MaskStep> MaskTable::step_of(const Program& program, const Function& function,
                                           const Instruction& instruction, const Argument& running) const {
  if (!instruction.is_call()) return status_step(program, function, instruction);
  const Operand callee = function.operands_of(instruction)[0];
  if (callee.kind() == Operand::Kind::Asm)
    return asm_mask(function.calls[instruction.extra].asm_text, constant_argument(program, function, instruction, 0));
  if (!callee.is_function()) return std::nullopt;
  const auto row = row_of(program.functions[callee.as_function()]);
  if (row == functions_.end()) return std::nullopt;
  MaskStep step = made(row->second);
  const api::MaskRule& rule = rules_[row->second.rule];
  if (!rule.argument) return step;
  const auto which = static_cast<std::size_t>(*rule.argument);
  auto value = constant_argument(program, function, instruction, which);
  if (!value && running) value = running(which);
  if (value) return with_number(step, *value);
  const auto arguments = function.arguments_of(instruction);
  const Operand argument = which < arguments.size() ? without_casts(function, arguments[which]) : Operand();
  if (argument.is_value() && function.is_parameter(argument.as_value()))
    step.parameter = static_cast<std::uint32_t>(argument.as_value().index());
  return step;
}

}  // namespace heddle::depend
