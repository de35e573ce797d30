// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/emit_action.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclGroup.h>
#include <clang/Basic/SourceManager.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <algorithm>
#include <filesystem>

#include "frontend/clang/consume_keeper.h"
#include "frontend/firmware/device_registers.h"
#include "frontend/firmware/repair_module.h"

namespace heddle::frontend {
namespace {

/// Sees every function before the code generator does. At -O0 clang emits a body that another unit is said to hold only
/// if it is `always_inline`; no inliner runs here, so the attribute has no other effect.
class BodyKeeper : public clang::ASTConsumer {
 public:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) keep(declaration);
    return true;
  }
  void HandleInlineFunctionDefinition(clang::FunctionDecl* function) override { keep(function); }

 private:
  static void keep(clang::Decl* declaration) {
    if (llvm::isa_and_nonnull<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration))
      for (clang::Decl* inner : llvm::cast<clang::DeclContext>(declaration)->decls()) keep(inner);
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (function == nullptr || function->isInvalidDecl() || function->isDependentContext()) return;
    if (!function->doesThisDeclarationHaveABody()) return;
    clang::ASTContext& ast = function->getASTContext();
    if (ast.GetGVALinkageForFunction(function) != clang::GVA_AvailableExternally) return;
    function->dropAttr<clang::NoInlineAttr>();
    if (!function->hasAttr<clang::AlwaysInlineAttr>())
      function->addAttr(clang::AlwaysInlineAttr::CreateImplicit(ast, function->getLocation()));
  }
};

/// Has the code generator describe the variables that other units define: `server.port` needs server's type here too.
class ExternalDescriber : public clang::ASTConsumer {
 public:
  explicit ExternalDescriber(clang::CodeGenerator& generator) : generator_(generator) {}

  void HandleTranslationUnit(clang::ASTContext& ast) override { describe(*ast.getTranslationUnitDecl()); }

 private:
  void describe(const clang::DeclContext& scope) {
    for (clang::Decl* declaration : scope.decls()) {
      if (const auto* inner = llvm::dyn_cast<clang::DeclContext>(declaration);
          llvm::isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration))
        describe(*inner);
      auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable == nullptr || variable->isInvalidDecl() || !variable->isUsed() ||
          variable->getPreviousDecl() != nullptr)
        continue;
      if (variable->hasExternalStorage() && variable->getDefinition() == nullptr &&
          !variable->getType()->isDependentType())
        generator_.CompleteExternalDeclaration(variable);
    }
  }

  clang::CodeGenerator& generator_;
};

std::string place_of(const clang::FunctionDecl& function) {
  const auto& sources = function.getASTContext().getSourceManager();
  const clang::PresumedLoc at = sources.getPresumedLoc(function.getLocation());
  if (at.isInvalid()) return "<unknown>";
  return std::string(at.getFilename()) + ":" + std::to_string(at.getLine()) + ":" + std::to_string(at.getColumn());
}

std::vector<Bodiless> find_bodiless(const llvm::Module& module, clang::CodeGenerator& generator) {
  std::vector<Bodiless> out;
  for (const llvm::Function& function : module) {
    if (!function.isDeclaration() || function.isIntrinsic() || function.use_empty()) continue;
    const auto* found =
        llvm::dyn_cast_or_null<clang::FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
    const clang::FunctionDecl* definition = nullptr;
    if (found == nullptr || !found->hasBody(definition) || definition == nullptr) continue;
    // Kept, and still not emitted: a body that only calls itself under its builtin name. It stands for the library's.
    if (definition->hasAttr<clang::AlwaysInlineAttr>()) continue;
    out.push_back({function.getName().str(), place_of(*definition)});
  }
  return out;
}

/// Headers that only we lend have no real path: they change with heddle itself.
std::vector<ReadFile> files_read(const clang::SourceManager& sources) {
  std::vector<ReadFile> out;
  for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
    const auto buffer = file->second->getBufferIfLoaded();
    if (!buffer) continue;
    const std::string path = std::filesystem::absolute(file->first.getName().str()).lexically_normal().string();
    std::error_code failure;
    if (std::filesystem::exists(path, failure)) out.push_back({path, hash_of(std::string_view(buffer->getBuffer()))});
  }
  std::ranges::sort(out, {}, &ReadFile::path);
  const auto twice = std::ranges::unique(out, {}, &ReadFile::path);
  out.erase(twice.begin(), twice.end());
  return out;
}

}  // namespace

std::unique_ptr<clang::ASTConsumer> EmitAction::CreateASTConsumer(clang::CompilerInstance& compiler,
                                                                  llvm::StringRef file) {
  std::unique_ptr<clang::CodeGenerator> generator(clang::CreateLLVMCodeGen(
      compiler.getDiagnostics(), file, &compiler.getVirtualFileSystem(), compiler.getHeaderSearchOpts(),
      compiler.getPreprocessorOpts(), compiler.getCodeGenOpts(), context_));
  generator_ = generator.get();
  std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
  consumers.push_back(std::make_unique<BodyKeeper>());
  consumers.push_back(std::make_unique<ConsumeKeeper>());
  consumers.push_back(std::make_unique<TypeWatcher>(types_));
  consumers.push_back(std::make_unique<ExternalDescriber>(*generator_));
  consumers.push_back(std::move(generator));
  return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
}

void EmitAction::EndSourceFileAction() {
  if (generator_ == nullptr || generator_->GetModule() == nullptr) return;
  if (unit_.wants_files) unit_.files = files_read(getCompilerInstance().getSourceManager());
  unit_.bodiless = find_bodiless(*generator_->GetModule(), *generator_);
  unit_.annotations = harvest_annotations(*generator_->GetModule(), *generator_, types_);
  if (mentions_addresses(*generator_->GetModule()))
    note_registers(*generator_->GetModule(), find_device_registers(getCompilerInstance().getASTContext(),
                                                                   getCompilerInstance().getPreprocessor()));
  unit_.module.reset(generator_->ReleaseModule());
  drop_wrong_attributes(*unit_.module);
  for (llvm::Function& function : *unit_.module)
    if (function.hasAvailableExternallyLinkage()) function.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
  for (llvm::GlobalVariable& variable : unit_.module->globals())
    if (variable.hasAvailableExternallyLinkage()) variable.setLinkage(llvm::GlobalValue::LinkOnceODRLinkage);
}

}  // namespace heddle::frontend
