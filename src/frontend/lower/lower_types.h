// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Type.h>

#include "program/model/program.h"

namespace heddle::frontend {

/// LLVM types → machine types of the Program, each once.
class MachineTypes {
 public:
  MachineTypes(Program& program, const llvm::DataLayout& layout) : program_(program), layout_(layout) {}
  TypeId of(llvm::Type* type);

 private:
  Type describe(llvm::Type* type);
  void describe_struct(llvm::StructType* type, Type& out);

  Program& program_;
  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Type*, TypeId> known_;
};

}  // namespace heddle::frontend
