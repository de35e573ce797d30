// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/clean_up.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/LowerConstantIntrinsics.h>
#include <llvm/Transforms/Scalar/LowerExpectIntrinsic.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace heddle::frontend {
namespace {

constexpr const char* clean_mark = "heddle.clean";

void run_passes(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerExpectIntrinsicPass());
  passes.addPass(llvm::LowerConstantIntrinsicsPass());
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, functions);
}

void straighten(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block, false);
  llvm::removeUnreachableBlocks(function);
  for (auto it = function.begin(); it != function.end();) {
    llvm::BasicBlock& block = *it++;
    llvm::MergeBlockIntoPredecessor(&block);
  }
}

void lower_computed_goto(llvm::IndirectBrInst& branch,
                         const llvm::DenseMap<llvm::BasicBlock*, std::uint64_t>& numbers) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 8> seen;
  for (unsigned i = 0; i < branch.getNumDestinations();) {
    llvm::BasicBlock* target = branch.getDestination(i);
    if (seen.insert(target).second) {
      ++i;
      continue;
    }
    target->removePredecessor(branch.getParent());
    branch.removeDestination(i);
  }
  llvm::IRBuilder<> builder(&branch);
  auto* otherwise = llvm::BasicBlock::Create(branch.getContext(), "", branch.getFunction());
  new llvm::UnreachableInst(branch.getContext(), otherwise);
  auto* width = branch.getModule()->getDataLayout().getIntPtrType(branch.getContext());
  llvm::Value* label = builder.CreatePtrToInt(branch.getAddress(), width);
  llvm::SwitchInst* choice = builder.CreateSwitch(label, otherwise, branch.getNumDestinations());
  for (unsigned i = 0; i < branch.getNumDestinations(); ++i) {
    const auto number = numbers.find(branch.getDestination(i));
    if (number == numbers.end())
      branch.getDestination(i)->removePredecessor(branch.getParent());
    else
      choice->addCase(llvm::ConstantInt::get(width, number->second), branch.getDestination(i));
  }
  branch.eraseFromParent();
}

llvm::Function* default_version(const llvm::Module& module, llvm::StringRef name) {
  name.consume_back(".ifunc");
  for (const std::string& candidate : {name.str() + ".default", name.str() + ".default.1", name.str()})
    if (llvm::Function* function = module.getFunction(candidate); function != nullptr && !function->isDeclaration())
      return function;
  return nullptr;
}

llvm::Function* ask_resolver(llvm::Module& module, llvm::GlobalIFunc& choice) {
  auto* type = llvm::cast<llvm::FunctionType>(choice.getValueType());
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
  function->takeName(&choice);
  if (type->isVarArg()) return function;  // its arguments cannot be passed on: stays without a body
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(module.getContext(), "", function));
  llvm::Value* chosen = builder.CreateCall(llvm::FunctionType::get(builder.getPtrTy(), false), choice.getResolver());
  std::vector<llvm::Value*> arguments;
  for (llvm::Argument& argument : function->args()) arguments.push_back(&argument);
  llvm::Value* result = builder.CreateCall(type, chosen, arguments);
  if (type->getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(result);
  return function;
}

bool refers_to_a_start(const llvm::GlobalAlias& alias) {
  return alias.getAliasee()->stripPointerCastsAndAliases() == alias.getAliaseeObject();
}

llvm::GlobalValue* declaration_for(llvm::Module& module, llvm::GlobalAlias& alias) {
  llvm::GlobalValue* out = nullptr;
  if (auto* type = llvm::dyn_cast<llvm::FunctionType>(alias.getValueType()))
    out = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
  else
    out = new llvm::GlobalVariable(module, alias.getValueType(), false, llvm::GlobalValue::ExternalLinkage, nullptr, "",
                                   nullptr, alias.getThreadLocalMode(), alias.getAddressSpace());
  out->takeName(&alias);
  return out;
}

}  // namespace

void clean_up(llvm::Module& module) {
  run_passes(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) straighten(function);
}

void mark_clean(llvm::Module& module) { module.getOrInsertNamedMetadata(clean_mark); }

bool is_marked_clean(const llvm::Module& module) { return module.getNamedMetadata(clean_mark) != nullptr; }

void forget_clean_mark(llvm::Module& module) {
  if (llvm::NamedMDNode* mark = module.getNamedMetadata(clean_mark)) module.eraseNamedMetadata(mark);
}

std::vector<ModuleAlias> take_aliases(llvm::Module& module) {
  std::vector<ModuleAlias> out;
  std::vector<llvm::GlobalAlias*> aliases;
  for (llvm::GlobalAlias& alias : module.aliases()) aliases.push_back(&alias);
  for (llvm::GlobalAlias* alias : aliases) {
    llvm::APInt offset(module.getDataLayout().getIndexTypeSizeInBits(alias->getType()), 0);
    alias->getAliasee()->stripAndAccumulateConstantOffsets(module.getDataLayout(), offset, true);
    if (!alias->hasLocalLinkage())
      out.push_back({alias->getName().str(), alias->getLinkage(), alias->getAliaseeObject(), offset.getSExtValue()});
  }
  for (llvm::GlobalAlias* alias : aliases) {
    const bool is_resolved_here = alias->hasLocalLinkage() || !refers_to_a_start(*alias);
    alias->replaceAllUsesWith(is_resolved_here ? alias->getAliasee() : declaration_for(module, *alias));
    alias->eraseFromParent();
  }
  // Which function an ifunc picks is decided when the program starts. The versions that clang makes of one source
  // function all do the same, so its default serves; any other ifunc asks its resolver at every call.
  std::vector<llvm::GlobalIFunc*> choices;
  for (llvm::GlobalIFunc& choice : module.ifuncs()) choices.push_back(&choice);
  for (llvm::GlobalIFunc* choice : choices) {
    llvm::Function* stand_in = default_version(module, choice->getName());
    if (stand_in == nullptr)
      stand_in = ask_resolver(module, *choice);
    else if (!choice->hasLocalLinkage() && stand_in->getName() != choice->getName())
      out.push_back({choice->getName().str(), choice->getLinkage(), stand_in, 0});
    choice->replaceAllUsesWith(stand_in);
    choice->eraseFromParent();
  }
  return out;
}

void lower_computed_gotos(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::DenseMap<llvm::BasicBlock*, std::uint64_t> numbers;
    for (llvm::BasicBlock& block : function) {
      if (!block.hasAddressTaken()) continue;
      const std::uint64_t number = numbers.size() + 1;
      numbers.try_emplace(&block, number);
      auto* address = llvm::BlockAddress::get(&function, &block);
      auto* word = module.getDataLayout().getIntPtrType(module.getContext());
      address->replaceAllUsesWith(
          llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(word, number), address->getType()));
      address->destroyConstant();
    }
    std::vector<llvm::IndirectBrInst*> branches;
    for (llvm::BasicBlock& block : function)
      if (auto* branch = llvm::dyn_cast<llvm::IndirectBrInst>(block.getTerminator())) branches.push_back(branch);
    for (llvm::IndirectBrInst* branch : branches) lower_computed_goto(*branch, numbers);
  }
}

}  // namespace heddle::frontend
