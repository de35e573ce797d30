// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks that tell which way a thread takes through the code (runtime/heddle_runtime.h), for searches that ask what it
// could have done instead: branches and where their sides meet, calls through pointers, returns, exceptions and long
// jumps that arrive, calls of the library.
//
// A function that touches no shared memory and calls nobody has none of them: its branches decide what it returns, and
// that is known to depend on everything.
#pragma once
#include <llvm/IR/InstrTypes.h>

#include <vector>

#include "instrument/hooks/hook_writer.h"
#include "instrument/instrument.h"
#include "program/model/program.h"

namespace heddle::instrument {

class WayHooks {
 public:
  WayHooks(const Program& program, const HookOptions& options, HookWriter& hooks)
      : program_(program), options_(options), hooks_(hooks) {}

  /// `origins`: the instructions of LLVM that those of the function stand for.
  void enter(FunctionId function, const std::vector<llvm::Instruction*>& origins);
  /// Before other hooks are added: what a call touches comes behind.
  void add_calls();
  /// When all others are there.
  void add_rest();

 private:
  void add_branches();
  void add_branch(std::size_t number);
  void add_call(std::size_t number);
  void add_through(llvm::CallBase& call, std::size_t number);
  void stand_behind_call(llvm::CallBase& call);
  void add_ends();
  [[nodiscard]] bool is_library(const Operand& callee) const;

  const Program& program_;
  const HookOptions& options_;
  HookWriter& hooks_;
  const Function* function_ = nullptr;  ///< null: it needs none
  const std::vector<llvm::Instruction*>* origins_ = nullptr;
};

}  // namespace heddle::instrument
