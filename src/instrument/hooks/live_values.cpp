// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/hooks/live_values.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace heddle::instrument {

LiveValues::LiveValues(llvm::Function& function) {
  for (llvm::Argument& argument : function.args()) number(argument);
  for (llvm::Instruction& instruction : llvm::instructions(function)) number(instruction);
  bool changed = true;
  while (changed) {
    changed = false;
    for (const llvm::BasicBlock* block : llvm::post_order(&function)) {
      llvm::BitVector live = behind(*block);
      for (const llvm::Instruction& instruction : llvm::reverse(*block)) go_back_over(live, instruction);
      llvm::BitVector& known = at_start_[block];
      changed = changed || known != live;
      known = std::move(live);
    }
  }
}

void LiveValues::number(llvm::Value& value) {
  const llvm::Type* type = value.getType();
  if (type->isVoidTy() || type->isTokenTy() || !type->isFirstClassType()) return;
  if (const auto* local = llvm::dyn_cast<llvm::AllocaInst>(&value); local != nullptr && local->isStaticAlloca()) return;
  number_.try_emplace(&value, values_.size());
  values_.push_back(&value);
}

void LiveValues::add(llvm::BitVector& live, const llvm::Value& value) const {
  if (const auto known = number_.find(&value); known != number_.end()) live.set(known->second);
}

void LiveValues::remove(llvm::BitVector& live, const llvm::Value& value) const {
  if (const auto known = number_.find(&value); known != number_.end()) live.reset(known->second);
}

void LiveValues::go_back_over(llvm::BitVector& live, const llvm::Instruction& instruction) const {
  remove(live, instruction);
  if (llvm::isa<llvm::PHINode>(instruction)) return;
  for (const llvm::Use& operand : instruction.operands()) add(live, *operand);
}

/// What the next blocks need, and what their phis take on the way there.
llvm::BitVector LiveValues::behind(const llvm::BasicBlock& block) const {
  llvm::BitVector live(static_cast<unsigned>(values_.size()));
  for (const llvm::BasicBlock* next : llvm::successors(&block)) {
    if (const auto known = at_start_.find(next); known != at_start_.end()) live |= known->second;
    for (const llvm::PHINode& phi : next->phis()) add(live, *phi.getIncomingValueForBlock(&block));
  }
  return live;
}

std::vector<llvm::Value*> LiveValues::before(const llvm::Instruction& instruction) const {
  llvm::BitVector live = behind(*instruction.getParent());
  for (const llvm::Instruction& one : llvm::reverse(*instruction.getParent())) {
    go_back_over(live, one);
    if (&one == &instruction) break;
  }
  std::vector<llvm::Value*> out;
  for (const unsigned number : live.set_bits()) out.push_back(values_[number]);
  return out;
}

}  // namespace heddle::instrument
