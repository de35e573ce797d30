// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/lock_annotations.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::frontend {
namespace {

using Kind = LockAnnotation::Kind;

std::string text_of(const clang::Expr& expression, const clang::ASTContext& ast) {
  clang::PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressImplicitBase = true;  // `mu`, as it was written, for `this->mu`
  std::string text;
  llvm::raw_string_ostream stream(text);
  expression.printPretty(stream, nullptr, policy);
  return text;
}

bool is_scoped(const clang::CXXMethodDecl& method) { return method.getParent()->hasAttr<clang::ScopedLockableAttr>(); }

/// The attributes of one declaration as annotations of one subject.
class Attributes {
 public:
  Attributes(const clang::NamedDecl& declaration, HarvestedAnnotation subject, std::vector<HarvestedAnnotation>& out)
      : declaration_(declaration), ast_(declaration.getASTContext()), subject_(std::move(subject)), out_(out) {}

  /// How many arguments the compiled function has: a result in memory would shift them.
  void set_arguments(std::size_t count) { arguments_ = count; }

  void harvest() {
    for (const clang::Attr* attribute : declaration_.attrs()) harvest(*attribute);
  }

 private:
  void harvest(const clang::Attr& any) {
    if (const auto* capability = llvm::dyn_cast<clang::CapabilityAttr>(&any))
      add(Kind::Capability).lock = capability->getName().str();
    else if (llvm::isa<clang::ScopedLockableAttr>(any))
      add(Kind::ScopedLockable);
    else if (llvm::isa<clang::NoThreadSafetyAnalysisAttr>(any))
      add(Kind::NoAnalysis);
    else if (llvm::isa<clang::GuardedVarAttr>(any))
      add(Kind::GuardedBy);
    else if (llvm::isa<clang::PtGuardedVarAttr>(any))
      add(Kind::PtGuardedBy);
    else if (const auto* guarded = llvm::dyn_cast<clang::GuardedByAttr>(&any))
      add(Kind::GuardedBy, *guarded->getArg());
    else if (const auto* pointed = llvm::dyn_cast<clang::PtGuardedByAttr>(&any))
      add(Kind::PtGuardedBy, *pointed->getArg());
    else if (const auto* returned = llvm::dyn_cast<clang::LockReturnedAttr>(&any))
      add(Kind::Returns, *returned->getArg());
    else
      harvest_list(any);
  }

  void harvest_list(const clang::Attr& any) {
    if (const auto* acquire = llvm::dyn_cast<clang::AcquireCapabilityAttr>(&any))
      add_all(acquire->isShared() ? Kind::AcquireShared : Kind::Acquire, acquire->args());
    else if (const auto* release = llvm::dyn_cast<clang::ReleaseCapabilityAttr>(&any))
      add_all(release->isGeneric()  ? Kind::ReleaseGeneric
              : release->isShared() ? Kind::ReleaseShared
                                    : Kind::Release,
              release->args());
    else if (const auto* needs = llvm::dyn_cast<clang::RequiresCapabilityAttr>(&any))
      add_all(needs->isShared() ? Kind::RequiresShared : Kind::Requires, needs->args());
    else if (const auto* asserts = llvm::dyn_cast<clang::AssertCapabilityAttr>(&any))
      add_all(asserts->isShared() ? Kind::AssertShared : Kind::Assert, asserts->args());
    else if (const auto* old = llvm::dyn_cast<clang::AssertExclusiveLockAttr>(&any))
      add_all(Kind::Assert, old->args());
    else if (const auto* shared = llvm::dyn_cast<clang::AssertSharedLockAttr>(&any))
      add_all(Kind::AssertShared, shared->args());
    else if (const auto* excluded = llvm::dyn_cast<clang::LocksExcludedAttr>(&any))
      add_all(Kind::Excludes, excluded->args());
    else if (const auto* before = llvm::dyn_cast<clang::AcquiredBeforeAttr>(&any))
      add_all(Kind::AcquiredBefore, before->args());
    else if (const auto* after = llvm::dyn_cast<clang::AcquiredAfterAttr>(&any))
      add_all(Kind::AcquiredAfter, after->args());
    else
      harvest_try(any);
  }

  void harvest_try(const clang::Attr& any) {
    if (const auto* tries = llvm::dyn_cast<clang::TryAcquireCapabilityAttr>(&any))
      add_try(tries->isShared() ? Kind::TryAcquireShared : Kind::TryAcquire, *tries);
    else if (const auto* old = llvm::dyn_cast<clang::ExclusiveTrylockFunctionAttr>(&any))
      add_try(Kind::TryAcquire, *old);
    else if (const auto* shared = llvm::dyn_cast<clang::SharedTrylockFunctionAttr>(&any))
      add_try(Kind::TryAcquireShared, *shared);
  }

  HarvestedAnnotation& add(Kind kind) {
    HarvestedAnnotation& row = out_.emplace_back(subject_);
    row.kind = kind;
    return row;
  }

  HarvestedAnnotation& add(Kind kind, const clang::Expr& lock) {
    HarvestedAnnotation& row = add(kind);
    row.lock = text_of(lock, ast_);
    row.argument = argument_of(lock);
    return row;
  }

  /// An empty list on a member function means the object itself.
  template <class Locks>
  void add_all(Kind kind, const Locks& locks, bool on_zero = false) {
    for (const clang::Expr* lock : locks) add(kind, *lock).succeeds_with_zero = on_zero;
    if (!locks.empty()) return;
    HarvestedAnnotation& row = add(kind);
    row.succeeds_with_zero = on_zero;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration_);
    if (method == nullptr || method->isStatic()) return;
    row.lock = "this";
    if (!is_scoped(*method)) row.argument = checked(0);  // else the locks that the object took, whichever they are
  }

  template <class Attribute>
  void add_try(Kind kind, const Attribute& attribute) {
    clang::Expr::EvalResult value;
    const bool known = attribute.getSuccessValue()->EvaluateAsInt(value, ast_);
    add_all(kind, attribute.args(), known && value.Val.getInt() == 0);
  }

  /// Only `lock`, `*lock` of a parameter that is a pointer or a reference, and `this`.
  [[nodiscard]] std::int32_t argument_of(const clang::Expr& lock) const {
    const clang::Expr* inner = lock.IgnoreParenImpCasts();
    bool is_content = false;
    if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner);
        unary != nullptr && unary->getOpcode() == clang::UO_Deref) {
      inner = unary->getSubExpr()->IgnoreParenImpCasts();
      is_content = true;
    }
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&declaration_);
    const bool has_this = method != nullptr && !method->isStatic();
    if (llvm::isa<clang::CXXThisExpr>(inner))
      return has_this && !is_scoped(*method) ? checked(0) : LockAnnotation::none;
    const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(inner);
    const auto* parameter = name == nullptr ? nullptr : llvm::dyn_cast<clang::ParmVarDecl>(name->getDecl());
    if (parameter == nullptr) return LockAnnotation::none;
    const clang::QualType type = parameter->getType();
    if (!(type->isReferenceType() && !is_content) && !type->isPointerType()) return LockAnnotation::none;
    if (type->isPointerType() && type->getPointeeType()->isPointerType()) return LockAnnotation::none;
    return checked(static_cast<std::int32_t>(parameter->getFunctionScopeIndex()) + (has_this ? 1 : 0));
  }

  /// Arguments count as the compiled function has them.
  [[nodiscard]] std::int32_t checked(std::int32_t argument) const {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration_);
    if (function == nullptr) return LockAnnotation::none;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    const std::size_t written = function->getNumParams() + (method != nullptr && !method->isStatic() ? 1 : 0);
    return written == arguments_ ? argument : LockAnnotation::none;
  }

  const clang::NamedDecl& declaration_;
  const clang::ASTContext& ast_;
  HarvestedAnnotation subject_;
  std::vector<HarvestedAnnotation>& out_;
  std::size_t arguments_ = 0;
};

/// Anonymous types go by their typedef.
std::string name_of(const clang::RecordDecl& record) {
  const clang::NamedDecl* named = &record;
  if (record.getIdentifier() == nullptr) named = record.getTypedefNameForAnonDecl();
  return named == nullptr ? "" : named->getQualifiedNameAsString();
}

void harvest_type(const clang::RecordDecl& record, std::vector<HarvestedAnnotation>& out) {
  HarvestedAnnotation subject;
  const auto harvest = [&](const clang::NamedDecl& declaration) {
    if (!declaration.hasAttrs()) return;
    if (subject.type.empty()) subject.type = name_of(record);
    if (!subject.type.empty()) Attributes(declaration, subject, out).harvest();
  };
  harvest(record);
  for (const clang::FieldDecl* field : record.fields()) {
    subject.field = field->getNameAsString();
    harvest(*field);
  }
}

}  // namespace

void TypeWatcher::HandleTagDeclDefinition(clang::TagDecl* declaration) {
  const auto* record = llvm::dyn_cast<clang::RecordDecl>(declaration);
  if (record != nullptr && !record->isDependentContext()) types_.push_back(record);
}

std::vector<HarvestedAnnotation> harvest_annotations(const llvm::Module& module, clang::CodeGenerator& generator,
                                                     const std::vector<const clang::RecordDecl*>& types) {
  std::vector<HarvestedAnnotation> out;
  const auto harvest = [&](llvm::StringRef symbol, std::size_t arguments) {
    const auto* found = llvm::dyn_cast_or_null<clang::NamedDecl>(generator.GetDeclForMangledName(symbol));
    if (found == nullptr) return;
    const auto* latest = llvm::cast<clang::NamedDecl>(found->getMostRecentDecl());
    if (!latest->hasAttrs()) return;
    HarvestedAnnotation subject;
    subject.symbol = symbol.str();
    Attributes attributes(*latest, std::move(subject), out);
    attributes.set_arguments(arguments);
    attributes.harvest();
  };
  for (const llvm::Function& function : module) harvest(function.getName(), function.arg_size());
  for (const llvm::GlobalVariable& variable : module.globals()) harvest(variable.getName(), 0);
  for (const clang::RecordDecl* record : types) harvest_type(*record, out);
  return out;
}

}  // namespace heddle::frontend
