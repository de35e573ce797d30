// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/objects/library_objects.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::scan {

LibraryObjects::LibraryObjects(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                               const TakenObjects& calls)
    : in_(input), summaries_(summaries), calls_(calls) {
  for (const Global& global : input.program.globals) own_.push_back(global.is_declaration());
  const auto give_up = [&](Operand operand) {
    if (operand.is_global()) own_[operand.index()] = false;
  };
  for (const Global& global : input.program.globals)
    for (const Relocation& word : global.relocations) give_up(word.target);
  for (std::size_t f = 0; f < input.program.functions.size(); ++f) {
    const Function& function = input.program.functions[FunctionId(f)];
    for (const Instruction& code : function.instructions)
      if (code.opcode != Opcode::Load || !input.is_pointer(code.access_type))
        std::ranges::for_each(function.operands_of(code), give_up);
  }
}

bool LibraryObjects::are_others(const Candidate& a, const Candidate& b) const {
  const auto is_call = [&](const Candidate& c) {
    const OwnAccess& own = own_access(summaries_, c);
    return in_.program.functions[c.function].instructions[own.instruction].is_call();
  };
  if (!is_call(a) || !is_call(b)) return false;
  const Origins x = origins_of(a), y = origins_of(b);
  const auto is_some = [](const Origins& one) { return one.is_known && (one.is_made || !one.variables.empty()); };
  return is_some(x) && is_some(y) && !(x.is_made && y.is_made) &&
         std::ranges::none_of(x.variables, [&](GlobalId variable) { return y.variables.contains(variable); });
}

LibraryObjects::Origins LibraryObjects::origins_of(const Candidate& access) const {
  Origins out;
  const std::vector<race::CallStep> steps = way_to(summaries_, access);
  const OwnAccess& own = own_access(summaries_, access);
  const Function& function = in_.program.functions[access.function];
  const auto operands = function.arguments_of(function.instructions[own.instruction]);
  out.is_known = !steps.empty() && own.address < operands.size();
  if (out.is_known) follow(access.function, operands[own.address], Steps(steps).first(steps.size() - 1), out);
  return out;
}

void LibraryObjects::follow(FunctionId id, Operand pointer, Steps steps, Origins& out) const {
  const Function& function = in_.program.functions[id];
  const Operand base = base_of(function, pointer);
  if (constant_number(in_.program, function, base)) return;  // null
  out.is_known &= base.is_value() && --out.left > 0;
  if (!out.is_known) return;
  if (function.is_parameter(base.as_value())) return follow_parameter(id, base.index(), steps, out);
  const Instruction& code = function.instructions[function.definition(base.as_value())];
  const auto operands = function.operands_of(code);
  if (code.opcode == Opcode::Phi || code.opcode == Opcode::Select) {
    if (!out.seen.emplace(id, base.index()).second) return;
    for (const Operand one : operands.subspan(code.opcode == Opcode::Select ? 1 : 0))
      if (!one.is_block()) follow(id, one, steps, out);
  } else if (code.opcode == Opcode::Load && is_of_library(operands[0])) {
    out.variables.insert(operands[0].as_global());
  } else if (code.is_call() && makes_memory(in_, operands[0])) {
    out.is_made = true;
  } else {
    out.is_known = false;
  }
}

void LibraryObjects::follow_parameter(FunctionId id, std::uint32_t parameter, Steps steps, Origins& out) const {
  const auto passed = [&](FunctionId caller, std::uint32_t call, Steps up) {
    const Function& function = in_.program.functions[caller];
    const auto arguments = function.arguments_of(function.instructions[call]);
    out.is_known &= parameter < arguments.size();
    if (out.is_known) follow(caller, arguments[parameter], up, out);
  };
  if (!steps.empty()) return passed(steps.back().function, steps.back().instruction, steps.first(steps.size() - 1));
  if (!out.seen.emplace(id, parameter).second) return;
  out.is_known &= calls_.is_only_called(id);
  for (const TakenObjects::Call& call : calls_.callers_of(id)) passed(call.caller, call.instruction, {});
}

}  // namespace heddle::scan
