// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <span>

namespace heddle::instrument {

/// The numbers of runtime/heddle_runtime.h.
enum class AtomicKind : std::uint32_t { Load = 0, Store = 1, Update = 2, Compare = 3 };

/// Writes calls of the functions of runtime/heddle_runtime.h into a module.
class HookWriter {
 public:
  explicit HookWriter(llvm::Module& module);

  /// Where the next hooks go, with the place in the source that they belong to.
  void stand_before(llvm::Instruction& instruction);
  void stand_behind(llvm::Instruction& instruction);
  llvm::IRBuilder<>& builder() { return builder_; }

  llvm::Value* size(std::uint64_t bytes) { return llvm::ConstantInt::get(word_, bytes); }
  llvm::Value* size(llvm::Value* bytes) { return builder_.CreateZExtOrTrunc(bytes, word_); }

  void access(bool writes, llvm::Value* address, llvm::Value* bytes, std::uint64_t number);
  void library(bool writes, llvm::Value* address, llvm::Value* bytes, std::uint64_t number);
  void library_string(llvm::Value* address, std::uint64_t number);
  void atomic(llvm::Value* address, llvm::Value* bytes, std::uint64_t number, AtomicKind kind, std::uint32_t order,
              bool consumes = false);
  void compared(llvm::Value* wrote, std::uint32_t failure_order);
  void fence(std::uint32_t order);
  /// What follows is never the same again.
  void open_end();
  void call(std::uint64_t number);
  /// A library function is called that keeps something for the next time.
  void leave_trace(std::uint64_t number);
  void called_through();
  // Ways; `place` as program/names/place_number.h has it.
  void branch(std::uint64_t place, llvm::Value* value);
  void call_through(std::uint64_t place, llvm::Value* callee);
  void meet(std::uint64_t place);
  void leave(std::uint64_t function);
  void land(std::uint64_t function, llvm::Value* again);
  void ask(std::uint64_t place);
  void answer(std::uint64_t place);
  void end_of_life(llvm::Value* address, llvm::Value* bytes, std::uint64_t number);

 private:
  void write(const char* name, std::span<llvm::Value* const> arguments);
  llvm::Value* plain(llvm::Value* address);
  llvm::Value* frame();
  llvm::Value* constant(std::uint64_t number) { return builder_.getInt64(number); }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::Type* word_;
};

/// As C numbers them: 0 relaxed … 5 sequentially consistent.
std::uint32_t c_order(llvm::AtomicOrdering order);

}  // namespace heddle::instrument
