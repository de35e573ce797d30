// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "base/check.h"
#include "frontend/clang/block_ends.h"
#include "frontend/clang/clean_up.h"
#include "frontend/firmware/module_notes.h"
#include "frontend/lower/linkage.h"
#include "frontend/lower/lowering.h"
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
  declare_registers(lowering);
  if (auto done = lower_initialisers(lowering); !done) return std::unexpected(done.error());
  lower_constructors(lowering);
  lower_aliases(lowering, aliases);
  for (const std::string& place : noted_refused(module))
    program.unseen.push_back(program.arena.text("assembly that clang refuses: " + place));
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

}  // namespace heddle::frontend
