// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/hooks/standing_hooks.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <bit>

namespace heddle::instrument {
namespace {

constexpr std::size_t most_words = 64;
constexpr std::uint64_t largest_local = 64;  // bytes, all together
constexpr std::uint64_t taken = 0, unknown = 2;

bool is_told_of(const llvm::Instruction& instruction) {
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return !llvm::isa<llvm::IntrinsicInst>(call) && !call->isInlineAsm();
  return instruction.isAtomic();
}

/// A sanitizer has nothing to do with it.
void hide(llvm::Value* made) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(made)) instruction->setNoSanitizeMetadata();
}

}  // namespace

/// A coroutine is gone on with by somebody else than who called it. Behind setjmp, values come back to life.
bool StandingHooks::can_be_told(llvm::Function& function) const {
  return !function.isPresplitCoroutine() && !function.callsFunctionThatReturnsTwice();
}

bool StandingHooks::add_local(llvm::Value& address, llvm::TypeSize bytes) {
  if (bytes.isScalable()) return false;
  std::uint64_t all = bytes.getFixedValue();
  for (const Local& local : locals_) all += local.bytes;
  locals_.push_back({&address, bytes.getFixedValue()});
  return all <= largest_local;
}

/// False: they are too large to be looked at again and again.
bool StandingHooks::find_locals(llvm::Function& function, PrivateMemory& memory, bool hook_all) {
  if (hook_all) return true;
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  for (llvm::Argument& argument : function.args())
    if (argument.hasByValAttr() && memory.holds(argument) &&
        !add_local(argument, layout.getTypeAllocSize(argument.getParamByValType())))
      return false;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* local = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (local == nullptr || !memory.holds(*local)) continue;
    const std::optional<llvm::TypeSize> bytes = local->getAllocationSize(layout);
    if (!local->isStaticAlloca() || !bytes || !add_local(*local, *bytes)) return false;
  }
  return true;
}

/// What nobody has written yet is the same in every round.
void StandingHooks::clear_locals() {
  for (const Local& local : locals_) {
    auto* made = llvm::dyn_cast<llvm::AllocaInst>(local.address);
    if (made == nullptr) continue;
    hooks_.stand_behind(*made);
    hide(hooks_.builder().CreateMemSet(made, hooks_.builder().getInt8(0), local.bytes, made->getAlign()));
  }
}

void StandingHooks::enter(llvm::Function& function, PrivateMemory& memory, bool hook_all) {
  function_ = &function;
  live_.reset();
  locals_.clear();
  outer_ = nullptr;
  const bool is_told = llvm::any_of(llvm::instructions(function), is_told_of) && can_be_told(function) &&
                       find_locals(function, memory, hook_all);
  if (is_told) {
    live_ = std::make_unique<LiveValues>(function);
    clear_locals();
  }
  llvm::BasicBlock::iterator at = function.getEntryBlock().getFirstInsertionPt();
  while (llvm::isa<llvm::AllocaInst>(*at)) ++at;
  hooks_.stand_before(*at);
  if (is_told) outer_ = hooks_.builder().CreateLoad(hooks_.builder().getInt64Ty(), variable());
  if (is_told) hide(outer_);
  set(hooks_.builder().getInt64(taken));
}

llvm::Value* StandingHooks::variable() {
  llvm::Module& module = *function_->getParent();
  constexpr const char* name = "__heddle1_standing";
  auto* variable = llvm::cast_or_null<llvm::GlobalVariable>(module.getNamedValue(name));
  if (variable == nullptr)
    variable =
        new llvm::GlobalVariable(module, hooks_.builder().getInt64Ty(), false, llvm::GlobalValue::ExternalLinkage,
                                 nullptr, name, nullptr, llvm::GlobalValue::InitialExecTLSModel);
  return hooks_.builder().CreateThreadLocalAddress(variable);
}

void StandingHooks::set(llvm::Value* number) { hide(hooks_.builder().CreateStore(number, variable())); }

llvm::Value* StandingHooks::mix(llvm::Value* number, llvm::Value* word) {
  llvm::IRBuilder<>& builder = hooks_.builder();
  llvm::Value* mixed = builder.CreateXor(number, word);
  // Turned, so that high bits reach the low ones: a product alone would keep them apart.
  mixed = builder.CreateIntrinsic(llvm::Intrinsic::fshl, {builder.getInt64Ty()}, {mixed, mixed, builder.getInt64(29)});
  return builder.CreateMul(mixed, builder.getInt64(0x9e3779b97f4a7c15ULL));
}

bool StandingHooks::add_bits(llvm::Value* bits, std::vector<llvm::Value*>& words) {
  llvm::IRBuilder<>& builder = hooks_.builder();
  const unsigned width = bits->getType()->getIntegerBitWidth();
  for (unsigned at = 0; at < width && words.size() < most_words; at += 64)
    words.push_back(builder.CreateZExtOrTrunc(at == 0 ? bits : builder.CreateLShr(bits, at), builder.getInt64Ty()));
  return words.size() < most_words;
}

bool StandingHooks::add_words(llvm::Value* value, std::vector<llvm::Value*>& words) {
  llvm::IRBuilder<>& builder = hooks_.builder();
  llvm::Type* type = value->getType();
  if (type->isPointerTy()) return add_bits(builder.CreatePtrToInt(value, builder.getInt64Ty()), words);
  if (type->isIntegerTy()) return add_bits(value, words);
  if (type->isFloatingPointTy()) {
    llvm::Type* const bits = builder.getIntNTy(static_cast<unsigned>(type->getPrimitiveSizeInBits().getFixedValue()));
    return add_bits(builder.CreateBitCast(value, bits), words);
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      if (!add_words(builder.CreateExtractElement(value, i), words)) return false;
    return true;
  }
  if (!type->isAggregateType()) return false;
  const unsigned elements =
      type->isStructTy() ? type->getStructNumElements() : static_cast<unsigned>(type->getArrayNumElements());
  for (unsigned i = 0; i < elements; ++i)
    if (!add_words(builder.CreateExtractValue(value, i), words)) return false;
  return true;
}

bool StandingHooks::add_content(const Local& local, std::vector<llvm::Value*>& words) {
  llvm::IRBuilder<>& builder = hooks_.builder();
  for (std::uint64_t at = 0; at < local.bytes;) {
    const std::uint64_t size = std::bit_floor(std::min<std::uint64_t>(local.bytes - at, sizeof at));
    llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), local.address, at);
    llvm::LoadInst* part =
        builder.CreateAlignedLoad(builder.getIntNTy(static_cast<unsigned>(8 * size)), address, llvm::Align(1));
    hide(part);
    if (!add_bits(part, words)) return false;
    at += size;
  }
  return true;
}

void StandingHooks::tell(llvm::Instruction& instruction, std::uint64_t place) {
  if (outer_ == nullptr) return forget(instruction);
  hooks_.stand_before(instruction);
  llvm::IRBuilder<>& builder = hooks_.builder();
  std::vector<llvm::Value*> words{builder.getInt64(place)};
  bool all = true;
  for (llvm::Value* value : live_->before(instruction)) all = all && add_words(value, words);
  for (const Local& local : locals_) all = all && add_content(local, words);
  if (!all) return forget(instruction);
  llvm::Value* number = outer_;
  for (llvm::Value* word : words) number = mix(number, word);
  llvm::Value* const is_known = builder.CreateTrunc(outer_, builder.getInt1Ty());
  set(builder.CreateSelect(is_known, builder.CreateOr(number, 1), builder.getInt64(unknown)));
}

void StandingHooks::forget(llvm::Instruction& instruction) {
  hooks_.stand_before(instruction);
  set(hooks_.builder().getInt64(unknown));
}

void StandingHooks::ask_behind(llvm::CallBase& call) {
  if (call.isMustTailCall()) return;
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call))
    hooks_.stand_before(*invoke->getNormalDest()->getFirstInsertionPt());
  else
    hooks_.stand_behind(call);
  hooks_.called_through();
}

}  // namespace heddle::instrument
