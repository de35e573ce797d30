// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/hooks/hook_writer.h"

#include <array>

#include "runtime/heddle_runtime.h"

namespace heddle::instrument {

static_assert(static_cast<std::uint32_t>(AtomicKind::Load) == HEDDLE_LOAD);
static_assert(static_cast<std::uint32_t>(AtomicKind::Store) == HEDDLE_STORE);
static_assert(static_cast<std::uint32_t>(AtomicKind::Update) == HEDDLE_UPDATE);
static_assert(static_cast<std::uint32_t>(AtomicKind::Compare) == HEDDLE_COMPARE);

HookWriter::HookWriter(llvm::Module& module)
    : module_(module),
      builder_(module.getContext()),
      word_(module.getDataLayout().getIntPtrType(module.getContext())) {}

void HookWriter::stand_before(llvm::Instruction& instruction) {
  builder_.SetInsertPoint(&instruction);
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
}

void HookWriter::stand_behind(llvm::Instruction& instruction) {
  builder_.SetInsertPoint(instruction.getNextNode());
  builder_.SetCurrentDebugLocation(instruction.getDebugLoc());
}

/// The runtime knows one address space.
llvm::Value* HookWriter::plain(llvm::Value* address) {
  return address->getType() == builder_.getPtrTy() ? address
                                                   : builder_.CreateAddrSpaceCast(address, builder_.getPtrTy());
}

void HookWriter::write(const char* name, std::span<llvm::Value* const> arguments) {
  std::vector<llvm::Type*> types;
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  const llvm::FunctionCallee hook =
      module_.getOrInsertFunction(name, llvm::FunctionType::get(builder_.getVoidTy(), types, false));
  llvm::CallInst* call = builder_.CreateCall(hook, llvm::ArrayRef(arguments.data(), arguments.size()));
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::NoMerge);  // each tells of one place
}

void HookWriter::access(bool writes, llvm::Value* address, llvm::Value* bytes, std::uint64_t number) {
  write(writes ? "__heddle1_write" : "__heddle1_read", std::array{plain(address), bytes, constant(number)});
}

void HookWriter::library(bool writes, llvm::Value* address, llvm::Value* bytes, std::uint64_t number) {
  write(writes ? "__heddle1_call_write" : "__heddle1_call_read", std::array{plain(address), bytes, constant(number)});
}

void HookWriter::library_string(llvm::Value* address, std::uint64_t number) {
  write("__heddle1_call_read_string", std::array{plain(address), constant(number)});
}

void HookWriter::atomic(llvm::Value* address, llvm::Value* bytes, std::uint64_t number, AtomicKind kind,
                        std::uint32_t order, bool consumes) {
  const std::uint32_t what =
      static_cast<std::uint32_t>(kind) | order << HEDDLE_ORDER_SHIFT | (consumes ? HEDDLE_CONSUMES : 0U);
  write("__heddle1_atomic",
        std::array<llvm::Value*, 4>{plain(address), bytes, constant(number), builder_.getInt32(what)});
}

void HookWriter::compared(llvm::Value* wrote, std::uint32_t failure_order) {
  llvm::Value* const truth = builder_.CreateZExt(wrote, builder_.getInt32Ty());
  write("__heddle1_compared", std::array{builder_.CreateOr(truth, failure_order << HEDDLE_ORDER_SHIFT)});
}

void HookWriter::open_end() { write("__heddle1_open_end", {}); }

void HookWriter::fence(std::uint32_t order) {
  write("__heddle1_fence", std::array<llvm::Value*, 1>{builder_.getInt32(order)});
}

void HookWriter::call(std::uint64_t number) { write("__heddle1_call", std::array{constant(number)}); }

void HookWriter::leave_trace(std::uint64_t number) {
  library(true, llvm::ConstantPointerNull::get(builder_.getPtrTy()), size(std::uint64_t{0}), number);
}

void HookWriter::called_through() { write("__heddle1_called_through", {}); }

void HookWriter::end_of_life(llvm::Value* address, llvm::Value* bytes, std::uint64_t number) {
  write("__heddle1_end_of_life", std::array{plain(address), bytes, constant(number)});
}

llvm::Value* HookWriter::frame() {
  return builder_.CreateIntrinsic(llvm::Intrinsic::frameaddress, {builder_.getPtrTy()}, {builder_.getInt32(0)});
}

void HookWriter::branch(std::uint64_t place, llvm::Value* value) {
  write("__heddle1_branch", std::array{frame(), constant(place), builder_.CreateZExt(value, builder_.getInt64Ty())});
}

void HookWriter::call_through(std::uint64_t place, llvm::Value* callee) {
  write("__heddle1_call_through", std::array{frame(), constant(place), plain(callee)});
}

void HookWriter::meet(std::uint64_t place) { write("__heddle1_meet", std::array{frame(), constant(place)}); }

void HookWriter::leave(std::uint64_t function) { write("__heddle1_leave", std::array{frame(), constant(function)}); }

void HookWriter::land(std::uint64_t function, llvm::Value* again) {
  write("__heddle1_land", std::array{frame(), constant(function), builder_.CreateZExt(again, builder_.getInt64Ty())});
}

void HookWriter::ask(std::uint64_t place) { write("__heddle1_ask", std::array{frame(), constant(place)}); }

void HookWriter::answer(std::uint64_t place) { write("__heddle1_answer", std::array{frame(), constant(place)}); }

std::uint32_t c_order(llvm::AtomicOrdering order) {
  switch (order) {
    case llvm::AtomicOrdering::NotAtomic:
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return __ATOMIC_RELAXED;
    case llvm::AtomicOrdering::Acquire: return __ATOMIC_ACQUIRE;
    case llvm::AtomicOrdering::Release: return __ATOMIC_RELEASE;
    case llvm::AtomicOrdering::AcquireRelease: return __ATOMIC_ACQ_REL;
    case llvm::AtomicOrdering::SequentiallyConsistent: return __ATOMIC_SEQ_CST;
  }
  return __ATOMIC_SEQ_CST;
}

}  // namespace heddle::instrument
