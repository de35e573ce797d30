// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/block_ends.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

namespace heddle::frontend {
namespace {

using Scope = llvm::DILocalScope;

const Scope* plain(const Scope* scope) { return scope == nullptr ? nullptr : scope->getNonLexicalBlockFileScope(); }

bool is_inside(const Scope* inner, const Scope* outer) {
  while (inner != nullptr && inner != outer) {
    const auto* block = llvm::dyn_cast<llvm::DILexicalBlockBase>(inner);
    inner = block == nullptr ? nullptr : plain(block->getScope());
  }
  return inner != nullptr;
}

const Scope* scope_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  return at == nullptr || at->getInlinedAt() != nullptr ? nullptr : plain(at->getScope());
}

struct Variable {
  llvm::AllocaInst* slot = nullptr;
  const llvm::Instruction* declared = nullptr;  ///< before this instruction
  const Scope* block = nullptr;
};

class BlockEnds {
 public:
  explicit BlockEnds(llvm::Function& function) : function_(function) {}

  void mark() {
    std::vector<Variable> variables;
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
        if (const auto variable = declared_by(record, instruction); variable.slot != nullptr)
          if (scopes_.try_emplace(variable.slot, variable.block).second) variables.push_back(variable);
    std::erase_if(variables, [](const Variable& v) {
      return !llvm::isa<llvm::DILexicalBlock>(v.block) || !llvm::PointerMayBeCaptured(v.slot, true, true);
    });
    if (variables.empty()) return;
    dominators_.recalculate(function_);
    find_scopes();
    for (const Variable& variable : variables) mark(variable);
  }

 private:
  static Variable declared_by(llvm::DbgVariableRecord& record, const llvm::Instruction& before) {
    if (!record.isDbgDeclare() || record.hasArgList()) return {};
    auto* slot = llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getVariableLocationOp(0));
    return {slot, &before, plain(record.getVariable()->getScope())};
  }

  /// The blocks an instruction works in: its own, and those of the slots it uses. A slot without a name lives in the
  /// block that uses it first.
  void find_scopes() {
    for (const llvm::Instruction& instruction : llvm::instructions(function_)) {
      const Scope* own = scope_of(instruction);
      auto& all = works_in_[&instruction];
      // A landing pad has the place of the first call that may come there.
      if (own != nullptr && !instruction.getParent()->isEHPad()) all.push_back(own);
      for (const llvm::Use& use : instruction.operands()) {
        if (!use->getType()->isPointerTy()) continue;
        llvm::SmallVector<const llvm::Value*, 4> objects;
        llvm::getUnderlyingObjects(use.get(), objects);
        for (const llvm::Value* object : objects)
          if (llvm::isa<llvm::AllocaInst>(object)) all.push_back(scopes_.try_emplace(object, own).first->second);
      }
    }
  }

  [[nodiscard]] bool belongs(const llvm::Instruction& instruction, const Variable& variable) const {
    const auto scopes = works_in_.find(&instruction);
    return scopes != works_in_.end() &&  // else it is the end of another variable
           std::ranges::any_of(scopes->second, [&](const Scope* scope) { return is_inside(scope, variable.block); });
  }

  /// By block: whether something of the variable's block comes, from its begin on, before the declaration.
  void find_live(const Variable& variable) {
    last_.clear();
    live_.clear();
    std::vector<const llvm::BasicBlock*> open;
    for (const llvm::BasicBlock& block : function_) {
      const llvm::Instruction* last = nullptr;
      bool is_first = false, was_declared = false;
      for (const llvm::Instruction& instruction : block) {
        was_declared = was_declared || &instruction == variable.declared;
        const bool is_behind =
            &instruction == variable.declared || dominators_.dominates(variable.declared, &instruction);
        if (!is_behind || !belongs(instruction, variable)) continue;
        is_first = is_first || !was_declared;
        last = &instruction;
      }
      if (last != nullptr) last_[&block] = last;
      if (is_first && live_.insert(&block).second) open.push_back(&block);
    }
    while (!open.empty()) {
      const llvm::BasicBlock* block = open.back();
      open.pop_back();
      for (const llvm::BasicBlock* before : llvm::predecessors(block))
        if (before != variable.declared->getParent() && live_.insert(before).second) open.push_back(before);
    }
  }

  [[nodiscard]] bool is_live_behind(const llvm::BasicBlock& block) const {
    return llvm::any_of(llvm::successors(&block), [&](const auto* next) { return live_.contains(next); });
  }

  /// Phis stay together at the begin of their block.
  static llvm::Instruction* behind(const llvm::Instruction& last, llvm::BasicBlock& block) {
    if (llvm::isa<llvm::PHINode>(last) || last.isEHPad()) return &*block.getFirstInsertionPt();
    return const_cast<llvm::Instruction*>(last.getNextNode());
  }

  void mark(const Variable& variable) {
    find_live(variable);
    std::vector<llvm::Instruction*> places;
    for (llvm::BasicBlock& block : function_) {
      const auto last = last_.find(&block);
      const bool was_live = live_.contains(&block) || last != last_.end() || &block == variable.declared->getParent();
      if (!was_live) continue;
      if (is_live_behind(block) || (last != last_.end() && last->second->isTerminator())) {
        for (llvm::BasicBlock* next : llvm::successors(&block))
          if (!live_.contains(next)) places.push_back(&*next->getFirstInsertionPt());
      } else if (last != last_.end()) {
        places.push_back(behind(*last->second, block));
      }
    }
    std::ranges::sort(places);
    const auto twins = std::ranges::unique(places);
    places.erase(twins.begin(), twins.end());
    for (llvm::Instruction* place : places) add_end(variable, *place);
  }

  /// At the end of the function the whole frame ends.
  void add_end(const Variable& variable, llvm::Instruction& place) const {
    if (llvm::isa<llvm::ReturnInst, llvm::UnreachableInst>(place) || !dominators_.dominates(variable.slot, &place))
      return;
    llvm::IRBuilder<> builder(&place);
    const llvm::Instruction* before = place.getPrevNode();
    if (before != nullptr && before->getDebugLoc()) builder.SetCurrentDebugLocation(before->getDebugLoc());
    builder.CreateLifetimeEnd(variable.slot);
  }

  llvm::Function& function_;
  llvm::DominatorTree dominators_;
  llvm::DenseMap<const llvm::Value*, const Scope*> scopes_;  ///< of stack slots
  llvm::DenseMap<const llvm::Instruction*, llvm::SmallVector<const Scope*, 2>> works_in_;
  llvm::DenseMap<const llvm::BasicBlock*, const llvm::Instruction*> last_;
  llvm::DenseSet<const llvm::BasicBlock*> live_;
};

}  // namespace

void mark_block_ends(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (function.getSubprogram() != nullptr && !function.isDeclaration()) BlockEnds(function).mark();
}

}  // namespace heddle::frontend
