// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/frontend.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/check.h"
#include "frontend/clang/block_ends.h"
#include "frontend/clang/clean_up.h"
#include "frontend/clang/compile.h"
#include "frontend/clang/crash_guard.h"
#include "frontend/clang/read_ir.h"
#include "frontend/clang/toolchain.h"
#include "frontend/lower/linkage.h"
#include "frontend/lower/lowering.h"
#include "program/link/link.h"
#include "program/model/function_hash.h"

namespace heddle::frontend {
namespace {

void lower_aliases(Lowering& lowering, const std::vector<ModuleAlias>& aliases) {
  for (const ModuleAlias& alias : aliases) {
    const Operand target = lowering.operand_of(alias.target);
    if (target.is_constant()) continue;
    lowering.program.aliases.push_back(
        {lowering.program.arena.text(alias.name), linkage_of(alias.linkage), target, alias.addend});
  }
}

void prepare_module(CompiledUnit& unit, std::vector<ModuleAlias>& aliases) {
  llvm::Module& module = *unit.module;
  module.convertToNewDbgValues();
  if (is_marked_clean(module)) return;
  aliases = take_aliases(module);
  lower_computed_gotos(module);
  clean_up(module);
  if (!unit.is_ir) mark_block_ends(module);
  expand_constant_expressions(module);
  mark_clean(module);
}

Result<Program> lower_module(const llvm::Module& module, const std::vector<ModuleAlias>& aliases, Origins* origins) {
  Program program;
  Lowering lowering(module, program);
  declare_functions(lowering);
  if (origins != nullptr) {
    origins->instructions.resize(program.functions.size());
    origins->functions.resize(program.functions.size());
    for (const auto& [function, id] : lowering.functions)
      origins->functions[id.index()] = const_cast<llvm::Function*>(function);
    lowering.origins = origins;
  }
  declare_globals(lowering);
  if (auto done = lower_initialisers(lowering); !done) return std::unexpected(done.error());
  lower_constructors(lowering);
  lower_aliases(lowering, aliases);
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    lower_function(lowering, function, program.functions[lowering.functions.at(&function)]);
  }
  program.index_names();
  hash_functions(program);
  return program;
}

/// Those of functions and variables that the unit has.
void keep_annotations(const std::vector<HarvestedAnnotation>& harvested, Program& program) {
  for (const HarvestedAnnotation& row : harvested) {
    Operand subject;
    if (const FunctionId function = program.find_function(row.symbol)) subject = Operand::function(function);
    if (const GlobalId global = program.find_global(row.symbol)) subject = Operand::global(global);
    if (!row.symbol.empty() && subject == Operand()) continue;
    program.annotations.push_back({row.kind, subject, program.arena.text(row.type), program.arena.text(row.field),
                                   program.arena.text(row.lock), row.argument, row.succeeds_with_zero});
  }
}

/// In one list, so that the user can mend all of them at once.
Result<std::vector<Program>> read_units(const std::vector<Source>& sources, const Options& options) {
  const CrashGuard guard;
  const std::string target = target_of(sources, options);
  std::vector<Program> units;
  std::string failures;
  for (const Source& source : sources) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto compiled =
        is_ir_file(source.path) ? read_ir(source.path, context) : compile_unit(source, target, options, context);
    auto unit = compiled ? lower_unit(*compiled, source.path) : Result<Program>(std::unexpected(compiled.error()));
    if (unit)
      units.push_back(std::move(*unit));
    else
      failures += (failures.empty() ? "" : "\n") + unit.error().message;
    if (context == nullptr) break;  // the compiler crashed
  }
  if (!failures.empty()) return error(failures);
  return units;
}

/// What a linker would refuse. Empty if there is nothing.
std::string refusals(const Linked& linked) {
  std::string out;
  for (const LinkConflict& conflict : linked.conflicts) {
    if (conflict.kind == LinkConflict::Kind::BodiesDiffer) continue;
    if (conflict.kind == LinkConflict::Kind::InsideObject) {
      out += (out.empty() ? "" : "\n") + conflict.units.back() + ": error: " + conflict.what;
      continue;
    }
    for (std::size_t i = 1; i < conflict.units.size(); ++i)
      out += (out.empty() ? "" : "\n") + conflict.units[i] + ": error: '" + conflict.symbol +
             "' is already defined in one of the files before it";
  }
  for (const MissingBody& missing : linked.program.missing_bodies)
    out += (out.empty() ? "" : "\n") + std::string(missing.place) + ": error: function '" +
           std::string(missing.symbol) +
           "' has source text but no body in the compiled unit; declare it 'static', or define it without 'inline' in "
           "one unit";
  return out;
}

}  // namespace

Result<Program> lower_unit(CompiledUnit& unit, const std::string& name, Origins* origins) {
  llvm::Module& module = *unit.module;
  std::vector<ModuleAlias> aliases;
  prepare_module(unit, aliases);
  bool broken_debug_info = false;  // only names would suffer
  std::string broken;
  llvm::raw_string_ostream words(broken);
  const bool is_broken = llvm::verifyModule(module, &words, &broken_debug_info);
  std::ranges::replace(broken, '\n', ' ');
  HEDDLE_CHECK(!is_broken, ("our clean-up broke the module: " + broken).c_str());
  auto program = lower_module(module, aliases, origins);
  if (!program) return program;
  if (origins != nullptr) origins->aliases = std::move(aliases);
  program->units.push_back(name);
  keep_annotations(unit.annotations, *program);
  for (const Bodiless& missing : unit.bodiless)
    program->missing_bodies.push_back({program->arena.text(missing.symbol), program->arena.text(missing.place)});
  return program;
}

Result<Program> read_unit(const Source& source, const Options& options) {
  auto units = read_units({source}, options);
  if (!units) return std::unexpected(units.error());
  return std::move(units->front());
}

Result<Program> read_text(const std::string& text, const std::string& name, const std::string& target) {
  const CrashGuard guard;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto compiled = compile_text(text, name, target, context);
  if (!compiled) return std::unexpected(compiled.error());
  return lower_unit(*compiled, name);
}

Result<Program> read_sources(const std::vector<Source>& sources, const Options& options) {
  if (sources.empty()) return error("error: no source files were given");
  auto units = read_units(sources, options);
  if (!units) return std::unexpected(units.error());
  auto linked = link(std::move(*units));
  if (!linked) return std::unexpected(linked.error());
  if (std::string refused = refusals(*linked); !refused.empty()) return error(std::move(refused));
  return std::move(linked->program);
}

}  // namespace heddle::frontend
