// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang's thread-safety attributes (`guarded_by`, `acquire_capability`, …, and their old names) of one unit, read from
// the syntax tree while it lives. Functions and variables are looked up by the symbols the code generator made, types
// as their definitions go by, so what the unit only declares and never uses costs nothing.
#pragma once
#include <clang/AST/ASTConsumer.h>

#include <string>
#include <vector>

#include "program/model/lock_annotation.h"

namespace clang {
class CodeGenerator;
class RecordDecl;
}  // namespace clang
namespace llvm {
class Module;
}

namespace heddle::frontend {

/// A LockAnnotation that owns its texts and names its function or variable.
struct HarvestedAnnotation {
  LockAnnotation::Kind kind = LockAnnotation::Kind::Capability;
  std::string symbol;
  std::string type;
  std::string field;
  std::string lock;
  std::int32_t argument = LockAnnotation::none;
  bool succeeds_with_zero = false;
};

/// Remembers the types of the unit; members get their attributes only when the whole class was read.
class TypeWatcher : public clang::ASTConsumer {
 public:
  explicit TypeWatcher(std::vector<const clang::RecordDecl*>& types) : types_(types) {}
  void HandleTagDeclDefinition(clang::TagDecl* declaration) override;

 private:
  std::vector<const clang::RecordDecl*>& types_;
};

[[nodiscard]] std::vector<HarvestedAnnotation> harvest_annotations(const llvm::Module& module,
                                                                   clang::CodeGenerator& generator,
                                                                   const std::vector<const clang::RecordDecl*>& types);

}  // namespace heddle::frontend
