// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/thread_entries.h"

#include "api/action.h"

namespace heddle::explore {
namespace {

/// The argument of a call that becomes the entry of a thread.
int entry_argument(const api::Model* model) {
  if (model == nullptr) return api::Effect::none;
  for (const api::Effect& effect : model->effects)
    if (const auto start = api::get<api::StartThread>(effect); start && start->entry_slot == api::Effect::none)
      return start->entry;
  return api::Effect::none;
}

}  // namespace

std::vector<bool> only_entries(const Program& program, const api::ApiModels& models) {
  std::vector<bool> only_entry(program.functions.size(), true);
  const auto refuse = [&](const auto& self, Operand operand) -> void {
    if (operand.is_function()) only_entry[operand.as_function().index()] = false;
    if (operand.is_constant())
      for (const Operand element : program.constants[operand.as_constant()].elements) self(self, element);
  };
  for (const Function& function : program.functions)
    for (const Instruction& code : function.instructions) {
      const auto operands = function.operands_of(code);
      int entry = api::Effect::none;
      if (code.is_call() && operands[0].is_function() && !program.functions[operands[0].as_function()].has_body())
        entry = entry_argument(models.find(program.functions[operands[0].as_function()].name));
      for (std::size_t i = 0; i < operands.size(); ++i)
        if (entry == api::Effect::none || i != static_cast<std::size_t>(entry) + 1) refuse(refuse, operands[i]);
    }
  for (const Global& global : program.globals)
    for (const Relocation& relocation : global.relocations) refuse(refuse, relocation.target);
  for (const FunctionId id : program.constructors) only_entry[id.index()] = false;
  for (const FunctionId id : program.destructors) only_entry[id.index()] = false;
  if (const FunctionId main = program.find_function("main"); main.valid()) only_entry[main.index()] = false;
  return only_entry;
}

}  // namespace heddle::explore
