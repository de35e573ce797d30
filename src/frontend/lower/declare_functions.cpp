// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/CallingConv.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <tuple>

#include "frontend/lower/linkage.h"
#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

/// `Stack<int>::push` for a mangled symbol, empty for any other.
std::string demangled_name(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) return {};
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(symbol.c_str()) || !demangler.isFunction()) return {};
  std::size_t size = 0;
  char* text = demangler.getFunctionName(nullptr, &size);
  std::string out = text == nullptr ? "" : text;
  std::free(text);  // the demangler allocates with malloc
  return out;
}

std::string source_name_of(const llvm::Function& function) {
  const llvm::DISubprogram* info = function.getSubprogram();
  if (std::string name = demangled_name(function.getName().str()); !name.empty()) return name;
  if (info == nullptr || info->getName().empty()) return function.getName().str();
  const std::string prefix = qualified_name(info->getScope());
  return prefix.empty() ? info->getName().str() : prefix + "::" + info->getName().str();
}

/// Whether anything but a direct call refers to it. LLVM's own query also counts direct calls with a mismatched type,
/// which old C is full of, and the lists of constructors.
bool is_address_taken(const llvm::Constant& constant) {
  return llvm::any_of(constant.uses(), [](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) return !call->isCallee(&use);
    if (llvm::isa<llvm::Function>(user) || llvm::isa<llvm::BlockAddress>(user)) return false;  // a personality, a label
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(user))
      return !variable->getName().starts_with("llvm.");
    if (const auto* part = llvm::dyn_cast<llvm::Constant>(user)) return is_address_taken(*part);
    return true;
  });
}

/// What the source wrote to make it a handler: an attribute of ARM, AVR, MIPS, MSP430 or RISC-V, a convention of x86. A
/// handler of AVR may have both; `interrupt` then says more: others may interrupt it.
std::string interrupt_attribute(const llvm::Function& function) {
  if (function.getCallingConv() == llvm::CallingConv::X86_INTR) return "interrupt";
  if (!function.hasFnAttribute("interrupt")) return function.hasFnAttribute("signal") ? "signal" : "";
  const llvm::StringRef detail = function.getFnAttribute("interrupt").getValueAsString();
  return detail.empty() ? "interrupt" : "interrupt(" + detail.str() + ")";
}

Function declare(Lowering& lowering, const llvm::Function& function) {
  Function out;
  Arena& arena = lowering.program.arena;
  out.name = arena.text(function.getName());
  out.source_name = arena.text(source_name_of(function));
  out.type = lowering.types.of(function.getFunctionType());
  out.linkage = linkage_of(function);
  out.may_be_missing = function.hasExternalWeakLinkage();
  out.is_vararg = function.isVarArg();
  out.no_return = function.doesNotReturn();
  out.no_unwind = function.doesNotThrow();
  out.is_intrinsic = function.isIntrinsic();
  out.is_address_taken = is_address_taken(function);
  out.interrupt = arena.text(interrupt_attribute(function));
  std::vector<TypeId> parameters;
  std::vector<ByValue> byval;
  for (const llvm::Argument& parameter : function.args()) {
    parameters.push_back(lowering.types.of(parameter.getType()));
    if (parameter.hasByValAttr())
      byval.push_back({parameter.getArgNo(),
                       lowering.layout.getTypeAllocSize(parameter.getParamByValType()).getFixedValue(),
                       parameter.getParamAlign().valueOrOne().value()});
  }
  out.parameters = arena.copy(parameters);
  out.byval = arena.copy(byval);
  if (const llvm::DISubprogram* info = function.getSubprogram()) {
    out.source_type = lowering.source_types.of_function(info->getType());
    out.location = lowering.locations.of(info->getFile(), info->getLine());
  }
  return out;
}

using StartupEntry = std::tuple<std::uint32_t, std::size_t, FunctionId>;  // equal priority: the order of the list

/// What the attributes `constructor` and `destructor` made.
void add_list(Lowering& lowering, const char* name, std::vector<StartupEntry>& ranked) {
  const llvm::GlobalVariable* list = lowering.module.getGlobalVariable(name, true);
  const auto* entries =
      list != nullptr && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (entries == nullptr) return;
  for (const llvm::Use& entry : entries->operands()) {
    const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry.get());
    if (fields == nullptr || fields->getNumOperands() < 2) continue;
    const auto* priority = llvm::dyn_cast<llvm::ConstantInt>(fields->getOperand(0));
    const auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1)->stripPointerCasts());
    if (priority == nullptr || function == nullptr) continue;
    ranked.emplace_back(static_cast<std::uint32_t>(priority->getZExtValue()), ranked.size(),
                        lowering.functions.at(function));
  }
}

std::vector<StartupEntry> startup_list(Lowering& lowering, const char* name, StartupSection::When when) {
  std::vector<StartupEntry> ranked;
  for (const StartupSection& row : lowering.startup_sections)
    if (row.when == when) ranked.emplace_back(row.priority, ranked.size(), lowering.functions.at(row.function));
  add_list(lowering, name, ranked);
  std::ranges::sort(ranked);
  return ranked;
}

}  // namespace

IntrinsicRole role_of(const llvm::Function& callee) {
  switch (callee.getIntrinsicID()) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline:
    case llvm::Intrinsic::memmove: return IntrinsicRole::Copy;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline: return IntrinsicRole::Set;
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_value:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::stacksave:
    case llvm::Intrinsic::stackrestore:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::pseudoprobe:
    case llvm::Intrinsic::experimental_noalias_scope_decl: return IntrinsicRole::Dropped;
    case llvm::Intrinsic::threadlocal_address:
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::ssa_copy: return IntrinsicRole::PassThrough;
    default: return IntrinsicRole::None;
  }
}

void declare_functions(Lowering& lowering) {
  for (const llvm::Function& function : lowering.module) {
    // A function is a user too: of its personality, which nothing here ever calls.
    const auto is_function = [](const llvm::User* user) { return llvm::isa<llvm::Function>(user); };
    const bool is_used = !function.isDeclaration() || !llvm::all_of(function.users(), is_function);
    if (!is_used || role_of(function) != IntrinsicRole::None) continue;
    lowering.functions.try_emplace(&function, lowering.program.functions.add(declare(lowering, function)));
  }
}

void lower_constructors(Lowering& lowering) {
  Program& program = lowering.program;
  read_startup_sections(lowering);
  using When = StartupSection::When;
  for (const auto& [priority, position, function] : startup_list(lowering, "llvm.global_ctors", When::BeforeMain)) {
    program.constructors.push_back(function);
    program.constructor_priorities.push_back(priority);
  }
  for (const auto& [priority, position, function] :
       startup_list(lowering, "llvm.global_dtors", When::AtEnd) | std::views::reverse) {
    program.destructors.push_back(function);
    program.destructor_priorities.push_back(priority);
  }
}

}  // namespace heddle::frontend
