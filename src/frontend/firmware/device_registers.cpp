// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/firmware/device_registers.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

namespace heddle::frontend {
namespace {

constexpr std::size_t longest_name = 40;

bool has_volatile_part(const clang::ASTContext& ast, clang::QualType type, unsigned depth = 0) {
  if (type.isVolatileQualified()) return true;
  if (const auto* array = ast.getAsArrayType(type)) return has_volatile_part(ast, array->getElementType(), depth);
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr || record->getDefinition() == nullptr || depth > 4) return false;
  return std::ranges::any_of(record->getDefinition()->fields(), [&](const clang::FieldDecl* field) {
    return has_volatile_part(ast, field->getType(), depth + 1);
  });
}

class RegisterVisitor : public clang::RecursiveASTVisitor<RegisterVisitor> {
 public:
  RegisterVisitor(clang::ASTContext& ast, clang::Preprocessor& macros)
      : ast_(ast), macros_(macros), sources_(ast.getSourceManager()) {}

  bool VisitCastExpr(clang::CastExpr* cast) {  // the name is RecursiveASTVisitor's
    if (cast->getCastKind() != clang::CK_IntegralToPointer || cast->isValueDependent()) return true;
    const clang::QualType target = cast->getType()->getPointeeType();
    if (target.isNull() || target->isDependentType() || !has_volatile_part(ast_, target)) return true;
    clang::Expr::EvalResult value;
    if (!cast->getSubExpr()->EvaluateAsInt(value, ast_, clang::Expr::SE_NoSideEffects)) return true;
    const unsigned bits = static_cast<unsigned>(ast_.getTypeSize(cast->getType()));
    const std::uint64_t address = value.Val.getInt().extOrTrunc(bits).getZExtValue();
    std::string& name = found[address];
    // `cbi(TWSR, 0)` takes the address of TWSR, and makes an address of that: the inner cast has the better name.
    if (name.empty() || name.contains('('))
      if (std::string other = name_of(cast->getBeginLoc()); name.empty() || (!other.empty() && !other.contains('(')))
        name = std::move(other);
    return true;
  }

  RegisterNames found;

 private:
  bool is_plain_macro(llvm::StringRef name) {
    const clang::MacroInfo* macro = macros_.getMacroInfo(macros_.getIdentifierInfo(name));
    return macro != nullptr && macro->isObjectLike();
  }

  std::string name_of(clang::SourceLocation at) {
    clang::SourceLocation outermost;
    while (at.isMacroID()) {
      if (!sources_.isMacroArgExpansion(at)) {
        const llvm::StringRef name = clang::Lexer::getImmediateMacroName(at, sources_, ast_.getLangOpts());
        if (is_plain_macro(name)) return name.str();
      }
      outermost = at;
      at = sources_.getImmediateMacroCallerLoc(at);
    }
    if (outermost.isInvalid()) return {};
    const auto text = clang::Lexer::getSourceText(sources_.getExpansionRange(outermost), sources_, ast_.getLangOpts());
    return text.size() > longest_name || text.contains('\n') ? std::string() : text.str();
  }

  clang::ASTContext& ast_;
  clang::Preprocessor& macros_;
  const clang::SourceManager& sources_;
};

bool holds_address(const llvm::Constant& constant, llvm::SmallPtrSetImpl<const llvm::Constant*>& seen) {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant);
  if (expression == nullptr && !llvm::isa<llvm::ConstantAggregate>(constant)) return false;
  if (expression != nullptr && expression->getOpcode() == llvm::Instruction::IntToPtr) return true;
  return seen.insert(&constant).second && llvm::any_of(constant.operands(), [&](const llvm::Use& part) {
           return holds_address(*llvm::cast<llvm::Constant>(part.get()), seen);
         });
}

}  // namespace

bool mentions_addresses(const llvm::Module& module) {
  llvm::SmallPtrSet<const llvm::Constant*, 32> seen;
  for (const llvm::GlobalVariable& variable : module.globals())
    if (variable.hasInitializer() && holds_address(*variable.getInitializer(), seen)) return true;
  for (const llvm::Function& function : module)
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      if (llvm::isa<llvm::IntToPtrInst>(instruction)) return true;
      for (const llvm::Use& operand : instruction.operands())
        if (const auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get()))
          if (holds_address(*constant, seen)) return true;
    }
  return false;
}

RegisterNames find_device_registers(clang::ASTContext& ast, clang::Preprocessor& macros) {
  RegisterVisitor visitor(ast, macros);
  visitor.TraverseDecl(ast.getTranslationUnitDecl());
  return std::move(visitor.found);
}

}  // namespace heddle::frontend
