// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/consume_keeper.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/Builtins.h>

#include <algorithm>
#include <optional>

namespace heddle::frontend {
namespace {

constexpr int relaxed = 0, consume = 1;

/// Rewrites the atomic expressions below a statement.
class Rewriter {
 public:
  explicit Rewriter(clang::ASTContext& ast) : ast_(ast) {}

  void visit(clang::Stmt& statement) {
    for (clang::Stmt*& child : statement.children()) {
      if (child == nullptr) continue;
      visit(*child);
      if (auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(child))
        child = rewritten(*atomic);
      else if (auto* call = llvm::dyn_cast<clang::CallExpr>(child))
        rewrite(*call);
    }
    if (auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(&statement); lambda != nullptr && lambda->getBody() != nullptr)
      visit(*lambda->getBody());
  }

 private:
  static bool is_dependent(const clang::Expr& expression) {
    return expression.isTypeDependent() || expression.isValueDependent() || expression.isInstantiationDependent();
  }

  /// Its number, if that is known now.
  [[nodiscard]] std::optional<std::int64_t> value_of(const clang::Expr& order) const {
    clang::Expr::EvalResult value;
    if (!order.EvaluateAsInt(value, ast_)) return std::nullopt;
    return value.Val.getInt().getExtValue();
  }

  clang::Expr* number(int value, const clang::Expr& like) {
    const llvm::APInt bits(static_cast<unsigned>(ast_.getIntWidth(like.getType())), static_cast<std::uint64_t>(value));
    return clang::IntegerLiteral::Create(ast_, bits, like.getType(), like.getExprLoc());
  }

  clang::Expr* is_consume(clang::Expr& order) {
    const clang::QualType type = ast_.getLangOpts().CPlusPlus ? ast_.BoolTy : ast_.IntTy;
    return clang::BinaryOperator::Create(ast_, &order, number(consume, order), clang::BO_EQ, type, clang::VK_PRValue,
                                         clang::OK_Ordinary, order.getExprLoc(), clang::FPOptionsOverride());
  }

  clang::Expr* choice(clang::Expr* condition, clang::Expr* one, clang::Expr* other) {
    return new (ast_) clang::ConditionalOperator(condition, one->getExprLoc(), one, one->getExprLoc(), other,
                                                 other->getType(), other->getValueKind(), other->getObjectKind());
  }

  /// The order with relaxed in the place of consume.
  clang::Expr* weakened(clang::Expr& order) {
    if (const auto known = value_of(order)) return *known == consume ? number(relaxed, order) : &order;
    return choice(is_consume(order), number(relaxed, order), &order);
  }

  clang::Expr* with_volatile_target(clang::Expr& pointer) {
    const clang::QualType target = pointer.getType()->getPointeeType();
    return clang::ImplicitCastExpr::Create(ast_, ast_.getPointerType(target.withVolatile()), clang::CK_NoOp, &pointer,
                                           nullptr, clang::VK_PRValue, clang::FPOptionsOverride());
  }

  /// Neither order can be consume, or nothing is lost if it is.
  static bool is_harmless(const clang::AtomicExpr& atomic) {
    switch (atomic.getOp()) {
      case clang::AtomicExpr::AO__c11_atomic_init:
      case clang::AtomicExpr::AO__c11_atomic_store:
      case clang::AtomicExpr::AO__atomic_store:
      case clang::AtomicExpr::AO__atomic_store_n: return true;
      default: return !atomic.getPtr()->getType()->isPointerType();
    }
  }

  /// The same expression may not be generated twice if it declares something.
  static bool can_be_repeated(const clang::Stmt& statement) {
    if (llvm::isa<clang::StmtExpr, clang::LambdaExpr, clang::BlockExpr, clang::OpaqueValueExpr>(statement))
      return false;
    return std::ranges::all_of(statement.children(),
                               [](const clang::Stmt* child) { return child == nullptr || can_be_repeated(*child); });
  }

  clang::Expr* rewritten(clang::AtomicExpr& atomic) {
    if (is_dependent(atomic) || is_harmless(atomic)) return &atomic;
    clang::Expr* order = atomic.getOrder();
    clang::Expr* on_failure = atomic.isCmpXChg() ? atomic.getOrderFail() : nullptr;
    if (is_dependent(*order) || (on_failure != nullptr && is_dependent(*on_failure))) return &atomic;
    const auto known = value_of(*order);
    const auto known_on_failure = on_failure == nullptr ? std::optional<std::int64_t>(relaxed) : value_of(*on_failure);
    if (known && known != consume && known_on_failure && known_on_failure != consume) return &atomic;
    if (order->HasSideEffects(ast_) || (on_failure != nullptr && on_failure->HasSideEffects(ast_))) return &atomic;
    const bool is_certain = known == consume || known_on_failure == consume;
    if (is_certain || !can_be_repeated(atomic)) {
      weaken(atomic);
      return &atomic;
    }
    // What may be consume is a second expression, in the branch where it is.
    auto* second = new (ast_) clang::AtomicExpr(
        atomic.getBeginLoc(), llvm::ArrayRef<clang::Expr*>(atomic.getSubExprs(), atomic.getNumSubExprs()),
        atomic.getType(), atomic.getOp(), atomic.getRParenLoc());
    weaken(*second);
    clang::Expr* result = &atomic;
    if (!known_on_failure) result = choice(is_consume(*on_failure), second, result);
    if (!known) result = choice(is_consume(*order), second, result);
    return result;
  }

  void weaken(clang::AtomicExpr& atomic) {
    clang::Expr** parts = atomic.getSubExprs();
    const auto replace = [&](const clang::Expr* old, clang::Expr* by) {
      std::replace(parts, parts + atomic.getNumSubExprs(), const_cast<clang::Expr*>(old), by);
    };
    clang::Expr* on_failure = atomic.isCmpXChg() ? atomic.getOrderFail() : nullptr;
    replace(atomic.getOrder(), weakened(*atomic.getOrder()));
    if (on_failure != nullptr) replace(on_failure, weakened(*on_failure));
    replace(atomic.getPtr(), with_volatile_target(*atomic.getPtr()));
  }

  /// What a flag held decides branches and is no address: there relaxed says all.
  void rewrite(clang::CallExpr& call) {
    if (is_dependent(call) || call.getBuiltinCallee() != clang::Builtin::BI__atomic_test_and_set) return;
    clang::Expr* order = call.getArg(1);
    if (is_dependent(*order) || order->HasSideEffects(ast_)) return;
    call.setArg(1, weakened(*order));
  }

  clang::ASTContext& ast_;
};

void keep(clang::Decl* declaration) {
  if (declaration == nullptr || declaration->isInvalidDecl()) return;
  if (llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl, clang::RecordDecl>(declaration))
    for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration)->decls()) keep(inner);
  Rewriter rewriter(declaration->getASTContext());
  if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
    if (function->isDependentContext() || !function->doesThisDeclarationHaveABody()) return;
    if (function->getBody() != nullptr) rewriter.visit(*function->getBody());
    if (auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
      for (clang::CXXCtorInitializer* initialiser : constructor->inits())
        if (initialiser->getInit() != nullptr) rewriter.visit(*initialiser->getInit());
  } else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
    if (variable->getInit() != nullptr && !variable->getInit()->isInstantiationDependent())
      rewriter.visit(*variable->getInit());
  }
}

}  // namespace

bool ConsumeKeeper::HandleTopLevelDecl(clang::DeclGroupRef group) {
  for (clang::Decl* declaration : group) keep(declaration);
  return true;
}

void ConsumeKeeper::HandleInlineFunctionDefinition(clang::FunctionDecl* function) { keep(function); }

}  // namespace heddle::frontend
