// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/GlobalValue.h>

#include "program/model/program.h"

namespace heddle::frontend {

Linkage linkage_of(const llvm::GlobalValue& value);
/// Of something that is defined.
Linkage linkage_of(llvm::GlobalValue::LinkageTypes linkage);

}  // namespace heddle::frontend
