// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/firmware/repair_module.h"

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Attributes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>

namespace heddle::frontend {
namespace {

template <class FunctionOrCall>
void drop_from(FunctionOrCall& what, const llvm::FunctionType& type) {
  for (unsigned i = 0; i < type.getNumParams(); ++i)
    what.removeParamAttrs(i, llvm::AttributeFuncs::typeIncompatible(type.getParamType(i)));
  what.removeRetAttrs(llvm::AttributeFuncs::typeIncompatible(type.getReturnType()));
}

}  // namespace

void drop_wrong_attributes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isIntrinsic()) continue;
    drop_from(function, *function.getFunctionType());
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) drop_from(*call, *call->getFunctionType());
  }
}

}  // namespace heddle::frontend
