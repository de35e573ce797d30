// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <clang/Frontend/FrontendAction.h>

#include "frontend/clang/compile.h"

namespace clang {
class CodeGenerator;
}

namespace heddle::frontend {

/// Clang's code generation and nothing behind it: no backend, no passes. The unit is complete when the action ended.
class EmitAction : public clang::ASTFrontendAction {
 public:
  EmitAction(llvm::LLVMContext& context, CompiledUnit& unit) : context_(context), unit_(unit) {}

 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef file) override;
  void EndSourceFileAction() override;

 private:
  llvm::LLVMContext& context_;
  CompiledUnit& unit_;
  clang::CodeGenerator* generator_ = nullptr;
  std::vector<const clang::RecordDecl*> types_;
};

}  // namespace heddle::frontend
