// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The way from the LLVM module of one unit to a Program. `Lowering` holds the tables that all parts share; the
// steps run in the order of this header. Symbols first, so that bodies and initialisers can refer to any of them.
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>

#include <map>

#include "base/result.h"
#include "frontend/clang/clean_up.h"
#include "frontend/clang/compile.h"
#include "frontend/lower/locations.h"
#include "frontend/lower/lower_types.h"
#include "frontend/lower/source_types.h"
#include "program/model/function_body.h"

namespace heddle::frontend {

/// A function whose address stands in a section that the C runtime goes through: .init_array, .fini_array, …
struct StartupSection {
  enum class When : std::uint8_t { BeforeMain, AtEnd };
  When when = When::BeforeMain;
  std::uint32_t priority = 0;
  const llvm::Function* function = nullptr;
};

/// What instructions of LLVM those of a Program stand for, and what lowering took out of the module: with it the module
/// can still become code.
struct Origins {
  std::vector<std::vector<llvm::Instruction*>> instructions;  ///< by function, by instruction
  std::vector<llvm::Function*> functions;                     ///< by function
  std::vector<ModuleAlias> aliases;
};

struct Lowering {
  Lowering(const llvm::Module& from, Program& to);

  /// The operand that stands for a constant: a global, a function or an interned Constant.
  Operand operand_of(const llvm::Constant* constant);
  Operand undefined(llvm::Type* type);
  /// The device register at the address that `value` is; none: it is no constant, or nobody's register.
  [[nodiscard]] GlobalId register_at(const llvm::Value* value) const;

  const llvm::Module& module;
  const llvm::DataLayout& layout;
  Program& program;
  MachineTypes types;
  SourceTypes source_types;
  Locations locations;
  llvm::DenseMap<const llvm::GlobalVariable*, GlobalId> globals;
  llvm::DenseMap<const llvm::Function*, FunctionId> functions;
  std::map<std::uint64_t, GlobalId> registers;  ///< by address
  std::vector<StartupSection> startup_sections;
  Origins* origins = nullptr;  ///< if somebody wants to know them

 private:
  Constant describe(const llvm::Constant* constant);
  llvm::DenseMap<const llvm::Constant*, ConstantId> constants_;
};

/// Calls that have an opcode of their own, mean nothing here, or only hand their operand through.
enum class IntrinsicRole { None, Copy, Set, Dropped, PassThrough };
IntrinsicRole role_of(const llvm::Function& callee);

void declare_functions(Lowering& lowering);
void declare_globals(Lowering& lowering);
/// Fills `registers`: addresses that the module uses and that the source, or a volatile access, makes registers.
void declare_registers(Lowering& lowering);
Result<void> lower_initialisers(Lowering& lowering);
void lower_constructors(Lowering& lowering);
/// Fills `startup_sections`; what it cannot read of them, and assembly outside of functions, is `unseen`.
void read_startup_sections(Lowering& lowering);
void lower_function(Lowering& lowering, const llvm::Function& function, Function& out);
/// What the source calls the values of `function`. `value_of` numbers them; a value without a number has no name.
void lower_names(Lowering& lowering, const llvm::Function& function,
                 const llvm::DenseMap<const llvm::Value*, ValueId>& value_of, FunctionBody& out);

/// All of the above, and what comes before: one compiled unit as a Program of its own, not linked. A module that has
/// been through here before (bitcode that was kept) is not cleaned up again, so that it gives the same Program.
Result<Program> lower_unit(CompiledUnit& unit, const std::string& name, Origins* origins = nullptr);

}  // namespace heddle::frontend
