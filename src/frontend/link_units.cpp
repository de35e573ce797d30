// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/link_units.h"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>

namespace heddle::frontend {
namespace {

class ErrorText : public llvm::DiagnosticHandler {
 public:
  explicit ErrorText(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << (text_.empty() ? "error: " : "; ");
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

std::optional<Error> check_bodies(const llvm::Module& module, const std::vector<Bodiless>& bodiless) {
  std::string message;
  for (const Bodiless& candidate : bodiless) {
    const llvm::Function* function = module.getFunction(candidate.symbol);
    if (function == nullptr || !function->isDeclaration()) continue;
    if (!message.empty()) message += '\n';
    message += candidate.place + ": error: function '" + candidate.symbol +
               "' has source text but no body in the compiled unit; declare it 'static', or define it without 'inline' "
               "in one unit";
  }
  if (message.empty()) return std::nullopt;
  return Error{message};
}

bool is_strong(const llvm::GlobalValue* value) {
  return value != nullptr && value->hasExternalLinkage() && !value->isDeclaration();
}

/// In our words, with both names; LLVM's linker stops at the first and does not say where the other is.
std::string duplicates(const llvm::Module& linked, const llvm::Module& next) {
  std::string message;
  for (const llvm::GlobalValue& value : next.global_values()) {
    if (!is_strong(&value) || !is_strong(linked.getNamedValue(value.getName()))) continue;
    message += (message.empty() ? "" : "\n") + next.getModuleIdentifier() + ": error: '" + value.getName().str() +
               "' is already defined in one of the files before it";
  }
  return message;
}

}  // namespace

Result<std::unique_ptr<llvm::Module>> link_units(std::vector<CompiledUnit> units, llvm::LLVMContext& context) {
  std::string failure;
  context.setDiagnosticHandler(std::make_unique<ErrorText>(failure));
  std::unique_ptr<llvm::Module> linked = std::move(units.front().module);
  std::vector<Bodiless> bodiless = std::move(units.front().bodiless);
  for (std::size_t i = 1; i < units.size(); ++i) {
    const std::string name = units[i].module->getModuleIdentifier();
    bodiless.insert(bodiless.end(), units[i].bodiless.begin(), units[i].bodiless.end());
    if (std::string twice = duplicates(*linked, *units[i].module); !twice.empty()) return error(std::move(twice));
    if (llvm::Linker::linkModules(*linked, std::move(units[i].module)) || !failure.empty())
      return error(name + ": " + (failure.empty() ? "error: cannot be linked with the files before it" : failure));
  }
  if (auto missing = check_bodies(*linked, bodiless)) return std::unexpected(std::move(*missing));
  return linked;
}

}  // namespace heddle::frontend
