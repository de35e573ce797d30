// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/shared/update_sequence.h"

#include <algorithm>

#include "base/contains.h"

namespace heddle::scan {

/// Where the way back is: a pointer of a function, and the calls that led there, the innermost last.
struct UpdateSequences::Walk {
  std::vector<race::CallStep> calls;
  FunctionId function;
  Operand pointer;
  std::vector<ValueId> met;       ///< values of the function that were followed
  std::vector<UpdateStep> steps;  ///< the last one first
  static constexpr std::size_t most = 24;
};

std::string UpdateSequences::object(FunctionId function, Operand pointer) {
  return paths_.print(namer_.path_of_value(function, pointer));
}

std::string UpdateSequences::address(FunctionId function, Operand pointer) {
  return paths_.print_address(namer_.path_of_value(function, pointer));
}

std::string UpdateSequences::parameter_name(const Function& function, std::uint32_t index) const {
  const auto name = std::ranges::lower_bound(function.names, ValueId(index), {}, &ValueName::value);
  if (name != function.names.end() && name->value == ValueId(index)) return std::string(name->name);
  return "parameter " + std::to_string(index + 1);
}

std::vector<UpdateStep> UpdateSequences::to(const Candidate& access) {
  Walk walk;
  walk.calls = way_to(summaries_, access);
  const OwnAccess& own = summaries_[access.function.index()].own[access.own];
  const Function& function = program_.functions[access.function];
  const Instruction& code = function.instructions[own.instruction];
  const auto operands = code.is_call() ? function.arguments_of(code) : function.operands_of(code);
  const bool has_address = own.address < operands.size();
  const std::string what = has_address && !code.is_call()
                               ? paths_.print(namer_.path_of_access(access.function, own.instruction))
                           : has_address ? object(access.function, operands[own.address])
                                         : std::string("?");
  const char* verb = own.kind == AccessKind::Free ? "frees " : own.kind == AccessKind::Read ? "reads " : "writes ";
  walk.steps.push_back({{access.function, own.instruction}, verb + what});
  if (!walk.calls.empty()) walk.calls.pop_back();
  walk.function = access.function;
  if (has_address) {
    walk.pointer = operands[own.address];
    follow(walk);
  }
  std::ranges::reverse(walk.steps);
  return std::move(walk.steps);
}

void UpdateSequences::follow(Walk& walk) {
  while (walk.pointer.is_value() && walk.steps.size() < Walk::most && walk.met.size() < 200) {
    const Function& function = program_.functions[walk.function];
    const ValueId value = walk.pointer.as_value();
    if (contains(walk.met, value)) return;
    walk.met.push_back(value);
    if (!(function.is_parameter(value) ? pass_parameter(walk) : step_back(walk, function))) return;
  }
}

/// From a value to what it was made of; false: the sequence begins here.
bool UpdateSequences::step_back(Walk& walk, const Function& function) {
  const std::size_t number = function.definition(walk.pointer.as_value());
  const Instruction& code = function.instructions[number];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Gep:
    case Opcode::Cast:
    case Opcode::Freeze: walk.pointer = operands[0]; return true;
    case Opcode::Load:
      walk.steps.push_back(
          {{walk.function, static_cast<std::uint32_t>(number)}, "follows " + object(walk.function, operands[0])});
      walk.pointer = operands[0];
      return true;
    case Opcode::Phi:
    case Opcode::Select: walk.pointer = chosen_input(walk, function, code); return true;
    case Opcode::Call:
    case Opcode::Invoke:
      walk.steps.push_back({{walk.function, static_cast<std::uint32_t>(number)},
                            "gets " + address(walk.function, walk.pointer) + " from a call"});
      return false;
    default: return false;
  }
}

/// Of the values that meet in a phi or select, the first one that is a pointer of its own and was not followed yet.
Operand UpdateSequences::chosen_input(const Walk& walk, const Function& function, const Instruction& code) const {
  const bool is_phi = code.opcode == Opcode::Phi;
  const auto operands = function.operands_of(code);
  for (std::size_t i = is_phi ? 0 : 1; i < operands.size(); i += is_phi ? 2 : 1) {
    if (operands[i].is_global()) return operands[i];
    if (operands[i].is_value() && !contains(walk.met, operands[i].as_value())) return operands[i];
  }
  return {};
}

/// To the argument of the call that led here; false: nobody in sight passes it.
bool UpdateSequences::pass_parameter(Walk& walk) {
  if (walk.calls.empty()) return false;
  const race::CallStep call = walk.calls.back();
  const Function& caller = program_.functions[call.function];
  const Instruction& code = caller.instructions[call.instruction];
  if (!code.is_call()) return false;
  const auto arguments = caller.arguments_of(code);
  const std::uint32_t index = walk.pointer.index();
  // A library that calls back passes what its model says.
  const Operand callee = caller.operands_of(code)[0];
  const bool is_direct = !callee.is_function() || callee.as_function() == walk.function;
  if (!is_direct || index >= arguments.size()) return false;
  const Function& function = program_.functions[walk.function];
  walk.steps.push_back({call, "passes " + address(call.function, arguments[index]) + " to " +
                                  std::string(function.shown_name()) + " as " + parameter_name(function, index)});
  walk.calls.pop_back();
  walk.function = call.function;
  walk.pointer = arguments[index];
  walk.met.clear();
  return true;
}

}  // namespace heddle::scan
