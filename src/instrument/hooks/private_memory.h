// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Value.h>

namespace heddle::instrument {

/// Which addresses no other thread can know or change: locals and copied arguments whose address stays in the function,
/// constants. Ask before hooks are added: they are given addresses.
class PrivateMemory {
 public:
  [[nodiscard]] bool holds(const llvm::Value& address);

 private:
  [[nodiscard]] bool is_private(const llvm::Value& object);
  llvm::DenseMap<const llvm::Value*, bool> known_;
};

}  // namespace heddle::instrument
