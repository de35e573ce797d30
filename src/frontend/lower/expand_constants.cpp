// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <map>

#include "frontend/clang/clean_up.h"

namespace heddle::frontend {
namespace {

bool holds_expression(const llvm::Constant* constant) {
  if (llvm::isa<llvm::ConstantExpr>(constant)) return true;
  if (!llvm::isa<llvm::ConstantAggregate>(constant)) return false;
  for (const llvm::Use& operand : constant->operands())
    if (holds_expression(llvm::cast<llvm::Constant>(operand.get()))) return true;
  return false;
}

llvm::Value* expand(llvm::Constant* constant, llvm::Instruction* before, const llvm::DebugLoc& location);

llvm::Value* expand_aggregate(llvm::Constant* constant, llvm::Instruction* before, const llvm::DebugLoc& location) {
  llvm::IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(location);
  llvm::Value* out = llvm::PoisonValue::get(constant->getType());
  const bool is_vector = constant->getType()->isVectorTy();
  for (unsigned i = 0; i < constant->getNumOperands(); ++i) {
    llvm::Value* element = expand(llvm::cast<llvm::Constant>(constant->getOperand(i)), before, location);
    // Not through the folding builder: it would fold back into the constant we are taking apart.
    if (is_vector)
      out = builder.Insert(llvm::InsertElementInst::Create(out, element, builder.getInt32(i)));
    else
      out = builder.Insert(llvm::InsertValueInst::Create(out, element, i));
  }
  return out;
}

llvm::Value* expand(llvm::Constant* constant, llvm::Instruction* before, const llvm::DebugLoc& location) {
  if (!holds_expression(constant)) return constant;
  if (llvm::isa<llvm::ConstantAggregate>(constant)) return expand_aggregate(constant, before, location);
  llvm::Instruction* instruction = llvm::cast<llvm::ConstantExpr>(constant)->getAsInstruction();
  for (llvm::Use& operand : instruction->operands())
    operand.set(expand(llvm::cast<llvm::Constant>(operand.get()), before, location));
  instruction->insertBefore(before->getIterator());
  instruction->setDebugLoc(location);
  return instruction;
}

/// Entries of a phi that come from the same block must stay the same value.
void expand_phi(llvm::PHINode& phi) {
  std::map<llvm::BasicBlock*, llvm::Value*> expanded;  // only looked up, never walked
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(phi.getIncomingValue(i));
    if (constant == nullptr || !holds_expression(constant)) continue;
    llvm::BasicBlock* from = phi.getIncomingBlock(i);
    llvm::Value*& value = expanded[from];
    if (value == nullptr) value = expand(constant, from->getTerminator(), from->getTerminator()->getDebugLoc());
    phi.setIncomingValue(i, value);
  }
}

void expand_operands(llvm::Instruction& instruction) {
  for (llvm::Use& operand : instruction.operands()) {
    auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
    if (constant != nullptr && holds_expression(constant))
      operand.set(expand(constant, &instruction, instruction.getDebugLoc()));
  }
}

void widen_indices(llvm::GetElementPtrInst& gep, const llvm::DataLayout& layout) {
  llvm::Type* wide = layout.getIndexType(gep.getType());
  if (gep.getType()->isVectorTy()) return;
  for (llvm::Use& index : gep.indices()) {
    if (llvm::isa<llvm::Constant>(index.get()) || index->getType() == wide) continue;
    llvm::IRBuilder<> builder(&gep);
    index.set(builder.CreateSExtOrTrunc(index.get(), wide));
  }
}

}  // namespace

void expand_constant_expressions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::Instruction*> work;
    for (llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
    for (llvm::Instruction* instruction : work) {
      if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
        expand_phi(*phi);
      else if (!llvm::isa<llvm::LandingPadInst>(instruction))
        expand_operands(*instruction);
    }
    work.clear();
    for (llvm::Instruction& instruction : llvm::instructions(function)) work.push_back(&instruction);
    for (llvm::Instruction* instruction : work)
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) widen_indices(*gep, module.getDataLayout());
  }
}

}  // namespace heddle::frontend
