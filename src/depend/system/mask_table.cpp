// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/mask_table.h"

#include "depend/system/asm_masks.h"
#include "depend/system/status_register.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

std::optional<std::int64_t> constant_argument(const Program& program, const Function& function, const Instruction& call,
                                              std::size_t which) {
  const auto arguments = function.arguments_of(call);
  if (which >= arguments.size()) return std::nullopt;
  const Operand argument = without_casts(function, arguments[which]);
  return argument.is_constant() ? signed_number(program, program.constants[argument.as_constant()]) : std::nullopt;
}

MaskStep::Of all_of(const api::MaskRule& rule) {
  return rule.of == api::MaskRule::Of::Tasks ? MaskStep::Of::Tasks : MaskStep::Of::Everything;
}

}  // namespace

MaskTable::MaskTable(std::vector<api::MaskRule> rules) : rules_(std::move(rules)) {
  for (std::uint32_t i = 0; i < rules_.size(); ++i) {
    for (const std::string& name : rules_[i].disable) functions_.insert_or_assign(name, Row{i, MaskStep::Step::Begin});
    for (const std::string& name : rules_[i].enable) functions_.insert_or_assign(name, Row{i, MaskStep::Step::End});
    for (const std::string& name : rules_[i].restore)
      functions_.insert_or_assign(name, Row{i, MaskStep::Step::Restore});
  }
}

MaskTable::Rows::const_iterator MaskTable::row_of(const Function& called) const {
  return functions_.find(called.name.substr(0, called.name.find('@')));  // internal ones may be called `name@unit`
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
