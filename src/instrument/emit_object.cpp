// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/emit_object.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

#include <memory>

namespace heddle::instrument {
namespace {

/// The first error that code generation met, in one line.
class Complaint : public llvm::DiagnosticHandler {
 public:
  explicit Complaint(std::string& text) : text_(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() != llvm::DS_Error || !text_.empty()) return true;
    llvm::raw_string_ostream stream(text_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info.print(printer);
    return true;
  }

 private:
  std::string& text_;
};

Result<std::unique_ptr<llvm::TargetMachine>> machine_for(const llvm::Module& module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::InitializeNativeTargetAsmParser();
  const llvm::Triple triple(module.getTargetTriple());
  std::string why;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple.str(), why);
  const llvm::Triple host(llvm::sys::getProcessTriple());
  if (target == nullptr || triple.getArch() != host.getArch())
    return error("error: it is compiled for " + triple.str() + ", and only programs for this machine (" + host.str() +
                 ") can run here");
  llvm::TargetOptions options;
  options.FunctionSections = true;
  options.DataSections = true;
  options.UseInitArray = true;
  const bool is_movable = module.getPICLevel() != llvm::PICLevel::NotPIC;
  // Which processor, and which of its features: the functions say it themselves.
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple.str(), "", "", options, is_movable ? llvm::Reloc::PIC_ : llvm::Reloc::Static,
                                  module.getCodeModel(), llvm::CodeGenOptLevel::Less));
  if (machine == nullptr) return error("error: LLVM has no code generator for " + triple.str());
  return machine;
}

/// A landing pad in every function would make the unwinder resume more often, and each time it synchronises.
void leave_exceptions_alone() {
  const auto& options = llvm::cl::getRegisteredOptions();
  const auto option = options.find("tsan-handle-cxx-exceptions");
  if (option != options.end()) static_cast<llvm::cl::opt<bool>*>(option->second)->setValue(false);
}

void watch_with_tsan(llvm::Module& module, llvm::ModulePassManager& passes) {
  leave_exceptions_alone();
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(llvm::Attribute::Naked))
      function.addFnAttr(llvm::Attribute::SanitizeThread);
  passes.addPass(llvm::ModuleThreadSanitizerPass());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::ThreadSanitizerPass()));
}

void run_passes(llvm::Module& module, llvm::TargetMachine& machine, bool with_tsan) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
  if (with_tsan) watch_with_tsan(module, passes);
  passes.run(module, modules);
}

}  // namespace

Result<std::string> emit_object(llvm::Module& module, bool with_tsan) {
  auto machine = machine_for(module);
  if (!machine) return std::unexpected(machine.error());
  module.setDataLayout((*machine)->createDataLayout());
  std::string complaint;
  module.getContext().setDiagnosticHandler(std::make_unique<Complaint>(complaint));
  run_passes(module, **machine, with_tsan);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager code;
  if ((*machine)->addPassesToEmitFile(code, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return error("error: LLVM writes no object files for " + module.getTargetTriple());
  code.run(module);
  if (!complaint.empty()) return error("error: " + complaint);
  return std::string(bytes.begin(), bytes.end());
}

}  // namespace heddle::instrument
