// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LiveValues: what a function has computed and may still read when it stands before an instruction. The same is known
// of the Program that is interpreted (interpret/code/live_slots.h), so that both notice a spinning thread at the same
// operation. Operands of the instruction count. A local variable's address is none of them: it is the same wherever the
// frame lies.
#pragma once
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace heddle::instrument {

class LiveValues {
 public:
  /// To be made before hooks are added, and asked then too.
  explicit LiveValues(llvm::Function& function);

  /// In order of the function's code.
  [[nodiscard]] std::vector<llvm::Value*> before(const llvm::Instruction& instruction) const;

 private:
  void number(llvm::Value& value);
  void add(llvm::BitVector& live, const llvm::Value& value) const;
  void remove(llvm::BitVector& live, const llvm::Value& value) const;
  void go_back_over(llvm::BitVector& live, const llvm::Instruction& instruction) const;
  [[nodiscard]] llvm::BitVector behind(const llvm::BasicBlock& block) const;

  std::vector<llvm::Value*> values_;
  llvm::DenseMap<const llvm::Value*, unsigned> number_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_start_;  ///< without what its phis take
};

}  // namespace heddle::instrument
