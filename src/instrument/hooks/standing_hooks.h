// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a thread stands: a number for the place in each of its frames and for all that they may still read there. Two
// equal numbers mean that the thread does the same from there on if it reads the same, which is how the search notices
// a thread that spins (explore/search/spin.h). It stands in the thread-local variable __heddle1_standing (an odd
// number; even: not known) in front of each operation, and of each call, whose function goes on with it:
//
//   void f(int n) {                     outer = __heddle1_standing; __heddle1_standing = 0
//     while (!atomic_load(&x)) ;        __heddle1_standing = mix(outer, place, n); load
//     g(n + 1);                         __heddle1_standing = mix(outer, place, n); g
//   }
//
// A value that hooks have announced to the runtime needs no number: whoever changes it leaves a trace. What the number
// cannot say makes it unknown: code without hooks that calls back, large local arrays, coroutines, setjmp. The stack is
// looked at word by word then (runtime/start.c). What a library keeps for itself is in no number: a call that may
// change it leaves a trace (library_hooks.h); behind a call through a pointer, a number that nobody has taken tells
// that it led there.
#pragma once
#include <memory>

#include "instrument/hooks/hook_writer.h"
#include "instrument/hooks/live_values.h"
#include "instrument/hooks/private_memory.h"

namespace heddle::instrument {

class StandingHooks {
 public:
  explicit StandingHooks(HookWriter& hooks) : hooks_(hooks) {}

  /// Before other hooks are added to the function. `hook_all`: no local variable is without hooks.
  void enter(llvm::Function& function, PrivateMemory& memory, bool hook_all);
  /// In front of the hooks of an operation, or of a call to a function that has hooks or is known to the runtime.
  void tell(llvm::Instruction& instruction, std::uint64_t place);
  /// In front of a call that may lead anywhere.
  void forget(llvm::Instruction& instruction);
  /// Behind a call through a pointer.
  void ask_behind(llvm::CallBase& call);

 private:
  struct Local {
    llvm::Value* address;
    std::uint64_t bytes;
  };
  [[nodiscard]] bool can_be_told(llvm::Function& function) const;
  bool find_locals(llvm::Function& function, PrivateMemory& memory, bool hook_all);
  bool add_local(llvm::Value& address, llvm::TypeSize bytes);
  void clear_locals();
  [[nodiscard]] llvm::Value* variable();
  void set(llvm::Value* number);
  /// False: it has a type that no words can be made of, or is too long.
  bool add_words(llvm::Value* value, std::vector<llvm::Value*>& words);
  bool add_bits(llvm::Value* bits, std::vector<llvm::Value*>& words);
  bool add_content(const Local& local, std::vector<llvm::Value*>& words);
  [[nodiscard]] llvm::Value* mix(llvm::Value* number, llvm::Value* word);

  HookWriter& hooks_;
  llvm::Function* function_ = nullptr;
  std::unique_ptr<LiveValues> live_;
  std::vector<Local> locals_;     ///< that have no hooks
  llvm::Value* outer_ = nullptr;  ///< where the caller stands; null: not to be told
};

}  // namespace heddle::instrument
