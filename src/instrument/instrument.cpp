// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/instrument.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/check.h"
#include "frontend/clang/compile.h"
#include "frontend/clang/crash_guard.h"
#include "frontend/clang/read_ir.h"
#include "frontend/clang/toolchain.h"
#include "frontend/lower/lowering.h"
#include "instrument/add_hooks.h"
#include "instrument/atomic_functions.h"
#include "instrument/emit_object.h"
#include "instrument/make_runnable.h"

namespace heddle::instrument {
namespace {

Result<std::unique_ptr<llvm::Module>> read_bitcode(const UnitCode& code, llvm::LLVMContext& context) {
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(code.bitcode, code.name), context);
  if (!module) return error(code.name + ": error: its bitcode is damaged: " + llvm::toString(module.takeError()));
  return std::move(*module);
}

/// Whether both come of the same code; they may name files in another way.
bool is_same_code(const Program& a, const Program& b) {
  return std::ranges::equal(a.functions, b.functions, [](const Function& f, const Function& g) {
    return f.name == g.name && f.hash == g.hash && f.instructions.size() == g.instructions.size();
  });
}

void check(const llvm::Module& module) {
  std::string broken;
  llvm::raw_string_ostream words(broken);
  bool broken_debug_info = false;
  const bool is_broken = llvm::verifyModule(module, &words, &broken_debug_info);
  std::ranges::replace(broken, '\n', ' ');
  HEDDLE_CHECK(!is_broken && !broken_debug_info, ("our hooks broke the module: " + broken).c_str());
}

Result<InstrumentedUnit> instrument_module(const UnitCode& code, const Program* names, const api::ApiModels& models,
                                           const HookOptions& options, llvm::LLVMContext& context) {
  auto module = read_bitcode(code, context);
  if (!module) return std::unexpected(module.error());
  frontend::CompiledUnit unit;
  unit.module = std::move(*module);
  unit.is_ir = code.is_ir;
  frontend::Origins origins;
  const auto program = frontend::lower_unit(unit, code.name, &origins);
  if (!program) return std::unexpected(program.error());
  if (names != nullptr && !is_same_code(*program, *names))
    return error(code.name + ": error: its bitcode and its captured unit differ; run 'heddle capture' again");
  InstrumentedUnit out;
  add_hooks(*unit.module, origins, names == nullptr ? *program : *names, models, options, out.accesses, out.counts);
  out.accesses.finish();
  mark_atomic_functions(*unit.module, models);
  make_runnable(*unit.module, origins);
  check(*unit.module);
  auto object = emit_object(*unit.module, options.with_tsan);
  if (!object) return error(code.name + ": " + object.error().message);
  out.object = std::move(*object);
  return out;
}

}  // namespace

HookCounts& HookCounts::operator+=(const HookCounts& other) {
  accesses += other.accesses;
  left_alone += other.left_alone;
  library += other.library;
  calls += other.calls;
  ends += other.ends;
  assembly += other.assembly;
  for (const auto& [name, count] : other.unsaid) unsaid[name] += count;
  for (const auto& [name, count] : other.unknown) unknown[name] += count;
  for (const auto& [name, count] : other.ordering) ordering[name] += count;
  return *this;
}

Result<UnitCode> compile_to_bitcode(const frontend::Source& source, const frontend::Options& options) {
  const frontend::CrashGuard guard;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto unit = frontend::is_ir_file(source.path)
                  ? frontend::read_ir(source.path, context)
                  : frontend::compile_unit(source, frontend::target_of({source}, options), options, context);
  if (!unit) return std::unexpected(unit.error());
  UnitCode out{.name = source.path, .is_ir = unit->is_ir};
  llvm::raw_string_ostream stream(out.bitcode);
  llvm::WriteBitcodeToFile(*unit->module, stream);
  for (const llvm::Function& function : *unit->module)
    if (function.isDeclaration())
      out.needs.push_back(function.getName().str());
    else if (!function.hasLocalLinkage())
      out.defines.push_back(function.getName().str());
  for (const llvm::GlobalVariable& variable : unit->module->globals())
    if (variable.isDeclaration())
      out.needs.push_back(variable.getName().str());
    else if (!variable.hasLocalLinkage())
      out.defines.push_back(variable.getName().str());
  for (const llvm::GlobalAlias& alias : unit->module->aliases())
    if (!alias.hasLocalLinkage()) out.defines.push_back(alias.getName().str());
  return out;
}

Result<InstrumentedUnit> instrument(const UnitCode& code, const Program* names, const api::ApiModels& models,
                                    const HookOptions& options) {
  const frontend::CrashGuard guard;
  auto context = std::make_unique<llvm::LLVMContext>();
  Result<InstrumentedUnit> out = error(code.name + ": error: LLVM crashed on its code");
  const auto work = [&] { out = instrument_module(code, names, models, options, *context); };
  if (frontend::run_guarded(work) != frontend::WorkEnd::Done) {
    static_cast<void>(context.release());  // half built
    return error(code.name + ": error: LLVM crashed on its code");
  }
  return out;
}

}  // namespace heddle::instrument
