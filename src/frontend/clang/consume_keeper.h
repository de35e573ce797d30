// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has no memory_order_consume: clang makes acquire of it, which orders more than the program says. So each atomic
// expression is rewritten before code is generated: one whose order is consume becomes a relaxed access that is also
// volatile, which is as much as the IR can say ("no order, but for what depends on the value").
//
//   __c11_atomic_load(&f, 1)            __c11_atomic_load((volatile _Atomic int *)&f, 0)
//   __atomic_load_n(&f, (int)order)     order == 1 ? __atomic_load_n((volatile int *)&f, 0) : __atomic_load_n(&f,
//   order)
//
// Who needs to know asks may_consume() (program/model/instruction.h). A relaxed access that is volatile in the source
// looks the same: no race is claimed between what was released there and what depends on the value it got. Fences are
// left alone: one that consumes is an acquire fence in C and C++.
#pragma once
#include <clang/AST/ASTConsumer.h>

namespace heddle::frontend {

class ConsumeKeeper : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override;
};

}  // namespace heddle::frontend
