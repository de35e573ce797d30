// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/values/relevance.h"

#include <algorithm>

#include "interpret/library/repeatable.h"
#include "program/model/function_queries.h"

namespace heddle::depend {

Touches::Touches(const Program& program, const api::ApiModels& models, const System& system, const CallGraph& calls,
                 const SharedAccesses& accesses)
    : locks(program, models) {
  for (const Function& function : program.functions)
    for (const Instruction& code : function.instructions) {
      const bool is_mask = code.is_call() && system.mask_step(function, code).has_value();
      const Operand callee = is_mask ? function.operands_of(code)[0] : Operand();
      if (is_mask && callee.is_function()) masks.insert(callee.as_function());
    }
  for (const auto& [variable, all] : accesses.all())
    for (const Access& access : all) {
      touched[{access.function, access.instruction}].push_back(variable);
      const Opcode opcode = program.functions[access.function].instructions[access.instruction].opcode;
      if (opcode == Opcode::Store) stores[variable].emplace_back(access.function, access.instruction);
    }
  idle = find_idle_branches(program, system, calls,
                            [&](FunctionId function, std::size_t instruction) -> const std::vector<GlobalId>& {
                              return at(function, instruction);
                            });
}

const std::vector<GlobalId>& Touches::at(FunctionId function, std::size_t instruction) const {
  static const std::vector<GlobalId> none;
  const auto found = touched.find({function, instruction});
  return found == touched.end() ? none : found->second;
}

Relevance::Relevance(const Program& program, const api::ApiModels& models, const CallGraph& calls,
                     const Touches& touches, const std::set<GlobalId>* wanted)
    : program_(program), models_(models), calls_(calls), touches_(touches), variables_(program.globals.size()) {
  for (const Function& function : program.functions) values_.emplace_back(function.value_count());
  if (wanted != nullptr) put_aside(*wanted);
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    for (std::size_t i = 0; i < program.functions[FunctionId(f)].instructions.size(); ++i) look_at(FunctionId(f), i);
  while (!todo_.empty()) {
    const auto [function, value] = todo_.back();
    todo_.pop_back();
    follow(function, value);
  }
}

void Relevance::put_aside(const std::set<GlobalId>& wanted) {
  for (const IdleBranch& one : touches_.idle) {
    if (std::ranges::any_of(one.touched, [&](GlobalId variable) { return wanted.contains(variable); })) continue;
    aside_.insert({one.function, one.branch});
    for (const GlobalId variable : one.stored) storing_[variable].push_back(&one);
    for (const BlockId block : one.blocks) meeting_[{one.function, block}].push_back(&one);
  }
}

void Relevance::need_branch(const IdleBranch& branch) {
  const Function& function = program_.functions[branch.function];
  if (aside_.erase({branch.function, branch.branch}) > 0)
    need(branch.function, function.operands_of(function.instructions[branch.branch])[0]);
}

bool Relevance::is_unknown(FunctionId id) const {
  const Function& function = program_.functions[id];
  if (function.has_body() || function.is_intrinsic || interpret::is_repeatable(function.name)) return false;
  if (is_mask(id) || locks().of(id) != nullptr) return false;
  const auto is_address = [&](TypeId type) { return program_.types[type].kind == TypeKind::Pointer; };
  const bool has_addresses =
      std::ranges::any_of(function.parameters, is_address) || is_address(program_.types[function.type].element);
  return !has_addresses || (!interpret::is_native(function.name) && models_.find(function.name) == nullptr);
}

void Relevance::need(FunctionId function, Operand operand) {
  if (!operand.is_value() || matters(function, operand.as_value())) return;
  values_[function.index()][operand.as_value().index()] = true;
  todo_.emplace_back(function, operand.as_value());
}

void Relevance::need_all(FunctionId function, std::size_t instruction) {
  const Function& code = program_.functions[function];
  for (const Operand operand : code.operands_of(code.instructions[instruction])) need(function, operand);
  for (const GlobalId variable : variables_at(function, instruction)) need_variable(variable);
}

void Relevance::need_variable(GlobalId variable) {
  if (matters(variable)) return;
  variables_[variable.index()] = true;
  if (const auto stores = touches_.stores.find(variable); stores != touches_.stores.end())
    for (const auto& [function, instruction] : stores->second) {
      const Function& code = program_.functions[function];
      need(function, code.operands_of(code.instructions[instruction])[0]);
    }
  if (const auto storing = storing_.find(variable); storing != storing_.end())
    for (const IdleBranch* one : storing->second) need_branch(*one);
}

/// What matters whatever becomes of its result.
void Relevance::look_at(FunctionId id, std::size_t number) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[number];
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::CondBranch:
    case Opcode::Switch:
      if (!aside_.contains({id, number})) need(id, operands[0]);
      return;
    case Opcode::IndirectBranch: need(id, operands[0]); return;
    case Opcode::Load:
      need(id, operands[0]);
      if (code.is_atomic()) need_all(id, number);
      return;
    case Opcode::Store:
      need(id, operands[1]);
      if (code.is_atomic() || variables_at(id, number).empty()) need_all(id, number);
      return;
    case Opcode::Call:
    case Opcode::Invoke: look_at_call(id, number); return;
    case Opcode::Alloca:
    case Opcode::MemCopy:
    case Opcode::MemSet:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
    case Opcode::VaArg:
    case Opcode::LandingPad:
    case Opcode::Resume:
    case Opcode::Unsupported: need_all(id, number); return;
    default: return;
  }
}

/// Nothing leads on from there.
bool Relevance::is_text(Operand argument) const {
  if (!argument.is_global()) return false;
  const Global& global = program_.globals[argument.as_global()];
  return global.is_constant && global.relocations.empty();
}

/// A library function may look at all that it is given, and at what lies behind it.
void Relevance::look_at_call(FunctionId id, std::size_t number) {
  const Function& function = program_.functions[id];
  const Instruction& call = function.instructions[number];
  const Operand callee = function.operands_of(call)[0];
  need(id, callee);
  for (const ByValue& copied : function.calls[call.extra].byval) need(id, function.arguments_of(call)[copied.index]);
  for (const GlobalId copied : variables_at(id, number)) need_variable(copied);
  const bool is_direct = callee.is_function(), is_mask = is_direct && this->is_mask(callee.as_function());
  if (callee.kind() == Operand::Kind::Asm) return;
  const LockCall* lock = is_direct && !is_mask ? locks().of(callee.as_function()) : nullptr;
  if (lock != nullptr) {  // which one it is
    const auto arguments = function.arguments_of(call);
    const auto which = static_cast<std::size_t>(lock->lock.object);
    if (lock->lock.kind == api::LockRef::Kind::Object && which < arguments.size()) need(id, arguments[which]);
    return;
  }
  if (is_direct && !is_mask &&
      (program_.functions[callee.as_function()].has_body() || is_unknown(callee.as_function())))
    return;
  for (const Operand argument : function.arguments_of(call)) {
    need(id, argument);
    if (!is_direct || is_mask || !is_pointer(program_, function, argument) || is_text(argument)) continue;
    for (std::size_t g = 0; g < program_.globals.size(); ++g)
      if (!program_.globals[GlobalId(g)].is_constant) need_variable(GlobalId(g));
  }
}

/// What a value that matters is made of.
void Relevance::follow(FunctionId id, ValueId value) {
  const Function& function = program_.functions[id];
  if (function.is_parameter(value)) {
    for (const CallPoint& point : calls_.callers(id)) {
      const Function& caller = program_.functions[point.caller];
      const auto arguments = caller.arguments_of(caller.instructions[point.instruction]);
      if (value.index() < arguments.size()) need(point.caller, arguments[value.index()]);
    }
    return;
  }
  const std::size_t number = function.definition(value);
  const Instruction& code = function.instructions[number];
  if (code.opcode == Opcode::Load) {
    for (const GlobalId variable : variables_at(id, number)) need_variable(variable);
  } else if (code.is_call()) {
    for (const FunctionId target : calls_.targets(id, number))
      for (const Instruction& end : program_.functions[target].instructions)
        if (end.opcode == Opcode::Return && end.operand_count > 0)
          need(target, program_.functions[target].operands_of(end)[0]);
  } else {
    for (const Operand operand : function.operands_of(code)) need(id, operand);
    if (code.opcode != Opcode::Phi) return;
    const auto meeting = meeting_.find({id, block_of(function, number)});
    if (meeting == meeting_.end()) return;
    for (const IdleBranch* one : meeting->second) need_branch(*one);
  }
}

}  // namespace heddle::depend
