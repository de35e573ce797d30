// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/hooks/private_memory.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>

namespace heddle::instrument {

bool PrivateMemory::holds(const llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*, 4> objects;
  llvm::getUnderlyingObjects(&address, objects);
  return !objects.empty() && llvm::all_of(objects, [&](const llvm::Value* object) { return is_private(*object); });
}

bool PrivateMemory::is_private(const llvm::Value& object) {
  // Another unit may see as a variable what is declared constant here.
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&object))
    return global->isConstant() && global->hasInitializer();
  const auto* argument = llvm::dyn_cast<llvm::Argument>(&object);
  if (!llvm::isa<llvm::AllocaInst>(object) && (argument == nullptr || !argument->hasByValAttr())) return false;
  const auto [at, is_new] = known_.try_emplace(&object);
  if (is_new) at->second = !llvm::PointerMayBeCaptured(&object, true, true);
  return at->second;
}

}  // namespace heddle::instrument
