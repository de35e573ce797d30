// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/make_runnable.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace heddle::instrument {
namespace {

using llvm::Attribute;

constexpr Attribute::AttrKind promises[] = {Attribute::Memory,     Attribute::NoSync,     Attribute::NoFree,
                                            Attribute::WillReturn, Attribute::NoCallback, Attribute::NoRecurse};

void restore_alias(llvm::Module& module, const frontend::ModuleAlias& alias) {
  auto* target = const_cast<llvm::GlobalObject*>(alias.target);
  llvm::GlobalValue* stand_in = module.getNamedValue(alias.name);
  if (stand_in != nullptr && !stand_in->isDeclaration()) return;
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  llvm::Constant* address = target;
  if (alias.addend != 0)
    address = llvm::ConstantExpr::getGetElementPtr(
        byte, target, llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(module.getContext()), alias.addend));
  llvm::Type* type = stand_in != nullptr ? stand_in->getValueType() : alias.addend == 0 ? target->getValueType() : byte;
  auto* out = llvm::GlobalAlias::create(type, target->getAddressSpace(), alias.linkage, "", address, &module);
  out->setThreadLocalMode(target->getThreadLocalMode());
  if (stand_in != nullptr) {
    out->takeName(stand_in);
    stand_in->replaceAllUsesWith(out);
    stand_in->eraseFromParent();
  } else {
    out->setName(alias.name);
  }
}

void break_promises(llvm::Function& function) {
  if (function.isIntrinsic()) return;
  for (const Attribute::AttrKind promise : promises) function.removeFnAttr(promise);
  if (function.isDeclaration()) return;
  for (llvm::Argument& argument : function.args()) argument.removeAttr(Attribute::NoAlias);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) continue;
    for (const Attribute::AttrKind promise : promises) call->removeFnAttr(promise);
  }
}

/// The front end describes what other units define; code would have to say where that is.
void forget_foreign_descriptions(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration()) variable.eraseMetadata(llvm::LLVMContext::MD_dbg);
}

void forget_lifetimes(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction); mark != nullptr && mark->isLifetimeStartOrEnd())
      mark->eraseFromParent();
}

/// Every unit may define it.
void define(llvm::Module& module, const char* mark) {
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  new llvm::GlobalVariable(module, byte, true, llvm::GlobalValue::WeakODRLinkage, llvm::ConstantInt::get(byte, 1),
                           mark);
}

/// Calls in which a cancelled thread ends are operations then (runtime/cancel.c).
void tell_cancelling(llvm::Module& module) {
  const llvm::Function* cancel = module.getFunction("pthread_cancel");
  if (cancel != nullptr && cancel->isDeclaration() && !cancel->use_empty()) define(module, "__heddle1_cancels");
}

/// They end with their thread (runtime/ends.c).
void tell_thread_locals(llvm::Module& module) {
  const auto ends = [](const llvm::GlobalVariable& one) { return one.isThreadLocal() && !one.isDeclaration(); };
  if (llvm::any_of(module.globals(), ends)) define(module, "__heddle1_thread_locals");
}

}  // namespace

void make_runnable(llvm::Module& module, const frontend::Origins& origins) {
  for (const frontend::ModuleAlias& alias : origins.aliases) restore_alias(module, alias);
  forget_foreign_descriptions(module);
  tell_cancelling(module);
  tell_thread_locals(module);
  for (llvm::Function& function : module) {
    break_promises(function);
    if (function.isDeclaration()) continue;
    forget_lifetimes(function);
    function.addFnAttr("frame-pointer", "all");
  }
  // An alias may be called so.
  if (llvm::GlobalValue* main = module.getNamedValue("main"); main != nullptr && !main->hasLocalLinkage())
    main->setName("__heddle1_main");
}

}  // namespace heddle::instrument
