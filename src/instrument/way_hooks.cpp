// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/way_hooks.h"

#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <set>

#include "base/check.h"
#include "flow/post_dominators.h"
#include "program/names/access_site.h"
#include "program/names/place_number.h"

namespace heddle::instrument {
namespace {

bool is_branch(const Instruction& code) { return code.opcode == Opcode::CondBranch || code.opcode == Opcode::Switch; }

}  // namespace

void WayHooks::enter(FunctionId function, const std::vector<llvm::Instruction*>& origins) {
  function_ = nullptr;
  if (!options_.tell_ways) return;
  const Function& entered = program_.functions[function];
  const bool has_calls = std::ranges::any_of(entered.instructions, &Instruction::is_call);
  if (!has_calls && access_sites(program_, entered).empty()) return;
  function_ = &entered;
  origins_ = &origins;
}

void WayHooks::add_calls() {
  if (function_ == nullptr) return;
  for (std::size_t i = 0; i < function_->instructions.size(); ++i)
    if (function_->instructions[i].is_call()) add_call(i);
}

void WayHooks::add_rest() {
  if (function_ == nullptr) return;
  add_branches();
  add_ends();
}

void WayHooks::add_branches() {
  const std::vector<BlockId> meeting =
      flow::post_dominators(*function_, flow::build_cfg(*function_, flow::Liveness::Skip));
  std::set<BlockId> meetings;
  for (std::size_t b = 0; b < function_->blocks.size(); ++b) {
    const Block& block = function_->blocks[b];
    const std::size_t last = block.first + block.count - 1;
    if (block.count == 0 || !is_branch(function_->instructions[last])) continue;
    add_branch(last);
    if (meeting[b].valid()) meetings.insert(meeting[b]);
  }
  for (const BlockId block : meetings) {
    const std::size_t first = function_->blocks[block.index()].first;
    hooks_.stand_before(*(*origins_)[first]->getParent()->getFirstInsertionPt());
    hooks_.meet(place_number(*function_, first));
  }
}

/// A condition of more than 64 bits (none that compilers make) has no hook that could tell it.
void WayHooks::add_branch(std::size_t number) {
  llvm::Instruction& instruction = *(*origins_)[number];
  hooks_.stand_before(instruction);
  llvm::Value* value = nullptr;
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction); branch != nullptr && branch->isConditional())
    value = branch->getCondition();
  else if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
    value = choice->getCondition();
  HEDDLE_CHECK(value != nullptr, "a branch of the Program is none in the module");
  if (value->getType()->getIntegerBitWidth() > 64) value = hooks_.builder().getInt64(0);
  hooks_.branch(place_number(*function_, number), value);
}

bool WayHooks::is_library(const Operand& callee) const {
  const Function& called = program_.functions[callee.as_function()];
  return !called.has_body() && !called.is_intrinsic && !options_.defined.contains(called.name);
}

void WayHooks::add_call(std::size_t number) {
  auto& call = llvm::cast<llvm::CallBase>(*(*origins_)[number]);
  if (call.isInlineAsm() || call.isMustTailCall()) return;
  const Operand callee = function_->operands_of(function_->instructions[number])[0];
  if (!callee.is_function()) {
    add_through(call, number);
  } else if (is_library(callee)) {
    hooks_.stand_before(call);
    hooks_.ask(place_number(*function_, number));
    stand_behind_call(call);
    hooks_.answer(place_number(*function_, number));
  }
  if (!call.hasFnAttr(llvm::Attribute::ReturnsTwice) || call.isTerminator()) return;
  hooks_.stand_behind(call);
  hooks_.land(place_number(*function_), &call);
}

void WayHooks::add_through(llvm::CallBase& call, std::size_t number) {
  const std::uint64_t place = place_number(*function_, number);
  hooks_.stand_before(call);
  hooks_.call_through(place, call.getCalledOperand());
  stand_behind_call(call);
  hooks_.meet(place);
}

void WayHooks::stand_behind_call(llvm::CallBase& call) {
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    hooks_.stand_before(*invoke->getNormalDest()->getFirstInsertionPt());
  else
    hooks_.stand_behind(call);
}

void WayHooks::add_ends() {
  for (std::size_t i = 0; i < function_->instructions.size(); ++i) {
    llvm::Instruction& instruction = *(*origins_)[i];
    const Opcode opcode = function_->instructions[i].opcode;
    if (opcode == Opcode::LandingPad) {
      hooks_.stand_before(*instruction.getParent()->getFirstInsertionPt());
      hooks_.land(place_number(*function_), hooks_.builder().getInt32(0));
    }
    if (opcode != Opcode::Return || instruction.getParent()->getTerminatingMustTailCall() != nullptr) continue;
    hooks_.stand_before(instruction);
    hooks_.leave(place_number(*function_));
  }
}

}  // namespace heddle::instrument
