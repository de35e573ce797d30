// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/atomic_functions.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace heddle::instrument {
namespace {

void call(llvm::Instruction& before, const char* name) {
  llvm::IRBuilder<> builder(&before);
  if (const llvm::DISubprogram* scope = before.getFunction()->getSubprogram())
    builder.SetCurrentDebugLocation(
        llvm::DILocation::get(before.getContext(), scope->getLine(), 0, const_cast<llvm::DISubprogram*>(scope)));
  builder.CreateCall(before.getModule()->getOrInsertFunction(name, builder.getVoidTy()));
}

}  // namespace

void mark_atomic_functions(llvm::Module& module, const api::ApiModels& models) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !models.is_atomic_function(function.getName())) continue;
    call(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), "__VERIFIER_atomic_begin");
    for (llvm::BasicBlock& block : function)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) call(*end, "__VERIFIER_atomic_end");
  }
}

}  // namespace heddle::instrument
