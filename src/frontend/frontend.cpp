// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/frontend.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>

#include "base/check.h"
#include "frontend/clean_up.h"
#include "frontend/compile.h"
#include "frontend/crash_guard.h"
#include "frontend/link_units.h"
#include "frontend/lowering.h"
#include "frontend/toolchain.h"
#include "program/function_hash.h"

namespace heddle::frontend {
namespace {

Result<std::vector<CompiledUnit>> compile_all(const std::vector<Source>& sources, const Options& options,
                                              std::unique_ptr<llvm::LLVMContext>& context) {
  const CrashGuard guard;
  const std::string target = target_of(sources, options);
  std::vector<CompiledUnit> units;
  std::string failures;
  for (const Source& source : sources) {
    auto unit = compile_unit(source, target, options, context);
    if (unit)
      units.push_back(std::move(*unit));
    else
      failures += (failures.empty() ? "" : "\n") + unit.error().message;
    if (context == nullptr) break;  // the compiler crashed
  }
  if (!failures.empty()) return error(failures);
  return units;
}

}  // namespace

Result<Program> lower_module(const llvm::Module& module) {
  Program program;
  Lowering lowering(module, program);
  declare_functions(lowering);
  declare_globals(lowering);
  if (auto done = lower_initialisers(lowering); !done) return std::unexpected(done.error());
  lower_constructors(lowering);
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    lower_function(lowering, function, program.functions[lowering.functions.at(&function)]);
  }
  program.index_names();
  hash_functions(program);
  return program;
}

Result<Program> read_sources(const std::vector<Source>& sources, const Options& options) {
  if (sources.empty()) return error("error: no source files were given");
  auto context = std::make_unique<llvm::LLVMContext>();
  auto units = compile_all(sources, options, context);
  if (!units) return std::unexpected(units.error());
  auto module = link_units(std::move(*units), *context);
  if (!module) return std::unexpected(module.error());
  (*module)->convertToNewDbgValues();
  resolve_aliases(**module);
  lower_computed_gotos(**module);
  clean_up(**module);
  expand_constant_expressions(**module);
  bool broken_debug_info = false;  // only names would suffer
  HEDDLE_CHECK(!llvm::verifyModule(**module, nullptr, &broken_debug_info), "our clean-up broke the module");
  auto program = lower_module(**module);
  if (!program) return std::unexpected(program.error());
  for (const Source& source : sources) program->units.push_back(source.path);
  return program;
}

}  // namespace heddle::frontend
