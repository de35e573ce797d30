// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/operand_walk.h"

#include <algorithm>

namespace heddle::depend {
namespace {

/// `if (x)` compares with a zero that nobody wrote.
bool is_unwritten_zero(const Program& program, const Instruction& code, Operand operand) {
  if (code.opcode != Opcode::Compare || code.predicate() != Predicate::Ne || !operand.is_constant()) return false;
  const Constant& constant = program.constants[operand.as_constant()];
  return constant.bits == 0 && constant.wide.empty();
}

}  // namespace

void OperandWalk::add(PathId path, Operand operand, LocationId at, EdgeKind kind) {
  push(path, operand, at, kind);
  run();
}

void OperandWalk::add_instruction(PathId path, std::size_t instruction, LocationId at, EdgeKind kind) {
  step_into(path, instruction, at, kind);
  run();
}

void OperandWalk::run() {
  while (!todo_.empty()) {
    const Item item = todo_.back();
    todo_.pop_back();
    step(item);
  }
}

void OperandWalk::step(const Item& item) {
  if (item.operand.is_constant() || item.operand.is_global() || item.operand.is_function()) return add_constant(item);
  if (!item.operand.is_value() || !seen_.emplace(item.path, item.operand.index()).second) return;
  const Function& function = graph_.program_.functions[graph_.paths_[item.path].function];
  const ValueId value = item.operand.as_value();
  if (!name_of(function, value).empty() || function.is_parameter(value)) {
    const std::uint32_t line = item.at ? graph_.program_.locations[item.at].line : 0;
    to_.push_back({graph_.intern({NodeKind::Use, item.path, line, value.index(), item.at}), item.kind});
    return;
  }
  step_into(item.path, function.definition(value), item.at, item.kind);
}

void OperandWalk::step_into(PathId path, std::size_t instruction, LocationId at, EdgeKind kind) {
  const Function& function = graph_.program_.functions[graph_.paths_[path].function];
  const Instruction& code = function.instructions[instruction];
  if (code.location) at = code.location;
  switch (code.opcode) {
    case Opcode::Load:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw: to_.push_back({graph_.read(path, instruction), kind}); return;
    case Opcode::Alloca: return;
    case Opcode::Call:
    case Opcode::Invoke: return add_call(path, instruction, at, kind);
    case Opcode::Phi: return add_phi(path, instruction, at, kind);
    default: break;
  }
  const auto operands = function.operands_of(code);
  for (auto operand = operands.rbegin(); operand != operands.rend(); ++operand)
    if (!operand->is_block() && !is_unwritten_zero(graph_.program_, code, *operand)) push(path, *operand, at, kind);
}

/// Addresses of variables are constants of a kind; what an address is made of is not worth a node where it is fixed.
void OperandWalk::add_constant(const Item& item) {
  if (item.kind == EdgeKind::Index) return;
  const Program& program = graph_.program_;
  if (item.operand.is_constant()) {
    const Constant& constant = program.constants[item.operand.as_constant()];
    const bool is_truth = program.types[constant.type].value_bits == 1;
    if (is_truth || constant.kind == Constant::Kind::Undef || constant.kind == Constant::Kind::Poison) return;
  }
  const std::uint32_t line = item.at ? program.locations[item.at].line : 0;
  const std::uint32_t detail = item.operand.index() | static_cast<std::uint32_t>(item.operand.kind()) << 29;
  to_.push_back({graph_.intern({NodeKind::Constant, item.path, line, detail, item.at}), item.kind});
}

void OperandWalk::add_call(PathId path, std::size_t call, LocationId at, EdgeKind kind) {
  const FunctionId caller = graph_.paths_[path].function;
  const Function& function = graph_.program_.functions[caller];
  const auto& targets = graph_.facts_.calls.targets(caller, call);
  if (targets.empty()) {
    const Operand callee = function.operands_of(function.instructions[call])[0];
    const bool is_intrinsic = callee.is_function() && graph_.program_.functions[callee.as_function()].is_intrinsic;
    if (!is_intrinsic) {
      to_.push_back({graph_.outside(path, call), kind});
      return;
    }
    const auto arguments = function.arguments_of(function.instructions[call]);
    for (auto argument = arguments.rbegin(); argument != arguments.rend(); ++argument) push(path, *argument, at, kind);
    return;
  }
  for (const FunctionId target : targets) {
    const PathId inner = graph_.paths_.call(path, call, target);
    const Function& callee = graph_.program_.functions[target];
    for (std::size_t i = 0; i < callee.instructions.size(); ++i) {
      const Instruction& code = callee.instructions[i];
      if (code.opcode != Opcode::Return || code.operand_count == 0) continue;
      push(inner, callee.operands_of(code)[0], code.location, kind);
    }
  }
}

void OperandWalk::add_phi(PathId path, std::size_t phi, LocationId at, EdgeKind kind) {
  const FunctionId id = graph_.paths_[path].function;
  const Function& function = graph_.program_.functions[id];
  const auto parts = function.operands_of(function.instructions[phi]);
  const BlockId here = graph_.facts_.calls.block_of(id, phi);
  for (std::size_t i = parts.size(); i >= 2; i -= 2) {
    const BlockId from = parts[i - 1].as_block();
    push(path, parts[i - 2], at, kind);
    for (const std::size_t branch : graph_.control_.of_edge(id, from, here))
      to_.push_back({graph_.intern({NodeKind::Control, path, static_cast<std::uint32_t>(branch), 0,
                                    function.instructions[branch].location}),
                     EdgeKind::Control});
  }
}

}  // namespace heddle::depend
