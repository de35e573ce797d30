// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

namespace heddle::frontend {

/// Takes away attributes that do not go with their types. clang 19 marks empty structs that are passed by value as
/// numbers to be extended (AVR), and its own checks then refuse the module.
void drop_wrong_attributes(llvm::Module& module);

}  // namespace heddle::frontend
