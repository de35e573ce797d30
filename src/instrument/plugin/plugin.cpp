// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hooks as a plugin of LLVM 19, for builds that heddle does not drive itself (ninja heddle_instrument_plugin):
//
//   clang-19 -O0 -g -Xclang -disable-O0-optnone -fpass-plugin=libheddle_instrument.so -c a.c
//   opt-19 -load-pass-plugin libheddle_instrument.so -passes=heddle-instrument a.bc -o hooked.bc
//
// `-passes='heddle-instrument<all>'` hooks private memory, too. Rows of the accesses are appended to the file that
// HEDDLE_ACCESSES names. Numbers are those of the analysis if files are named alike: heddle compiles with
// -fdebug-compilation-dir=/.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>

#include <cstdlib>
#include <fstream>

#include "frontend/lower/lowering.h"
#include "instrument/add_hooks.h"
#include "instrument/make_runnable.h"

namespace heddle::instrument {
namespace {

void append_rows(const AccessTable& accesses) {
  const char* file = std::getenv("HEDDLE_ACCESSES");
  if (file == nullptr) return;
  const std::string text = accesses.to_text();
  std::ofstream out(file, std::ios::app);
  out << (out.tellp() == 0 ? text : text.substr(text.find('\n') + 1));
}

class HookPass : public llvm::PassInfoMixin<HookPass> {
 public:
  explicit HookPass(bool hook_all) { options_.hook_all = hook_all; }

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) const {
    for (llvm::Function& function : module) function.removeFnAttr(llvm::Attribute::OptimizeNone);
    frontend::CompiledUnit unit;
    unit.module.reset(&module);
    frontend::Origins origins;
    const auto program = frontend::lower_unit(unit, module.getSourceFileName(), &origins);
    static_cast<void>(unit.module.release());  // LLVM's own
    if (!program) llvm::report_fatal_error(llvm::Twine("heddle: ") + program.error().message);
    const auto models = api::ApiModels::shipped();
    if (!models) llvm::report_fatal_error(llvm::Twine("heddle: ") + models.error().message);
    AccessTable accesses;
    HookCounts counts;
    add_hooks(module, origins, *program, *models, options_, accesses, counts);
    make_runnable(module, origins);
    accesses.finish();
    append_rows(accesses);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  HookOptions options_;
};

void register_passes(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(HookPass(false)); });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes, auto) {
    if (name != "heddle-instrument" && name != "heddle-instrument<all>") return false;
    passes.addPass(HookPass(name.ends_with("<all>")));
    return true;
  });
}

}  // namespace
}  // namespace heddle::instrument

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-instrument", "1", heddle::instrument::register_passes};
}
