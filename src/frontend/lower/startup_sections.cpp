// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runs or has a name without an instruction that says so: functions whose addresses a program puts into the
// sections of the C runtime by itself, and assembly outside of functions.
//
//   __attribute__((section(".init_array"))) void (*p)(void) = start;     start runs before main, as a constructor
//   asm(".set y, x");                                                    nobody here knows what it does: unseen
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <charconv>
#include <optional>

#include "frontend/lower/lowering.h"

namespace heddle::frontend {
namespace {

constexpr std::uint32_t default_priority = 65535;
constexpr std::size_t longest_shown = 60;

/// `.init_array.00101` is the list `.init_array` with priority 101; none if the section is no such list.
struct ListSection {
  StartupSection::When when = StartupSection::When::BeforeMain;
  std::uint32_t priority = default_priority;
};

std::optional<ListSection> list_section(llvm::StringRef name) {
  struct Row {
    llvm::StringRef name;
    StartupSection::When when;
    bool counts_down;  ///< of .ctors.N and .dtors.N: a larger N runs earlier
  };
  using When = StartupSection::When;
  const Row rows[] = {{".preinit_array", When::BeforeMain, false},
                      {".init_array", When::BeforeMain, false},
                      {".ctors", When::BeforeMain, true},
                      {".fini_array", When::AtEnd, false},
                      {".dtors", When::AtEnd, true}};
  for (const Row& row : rows) {
    llvm::StringRef rest = name;
    if (!rest.consume_front(row.name) || (!rest.empty() && !rest.consume_front("."))) continue;
    ListSection out{row.when, default_priority};
    if (row.name == ".preinit_array") out.priority = 0;
    std::uint32_t number = 0;
    const auto [end, failure] = std::from_chars(rest.begin(), rest.end(), number);
    if (failure == std::errc() && end == rest.end() && number <= default_priority)
      out.priority = row.counts_down ? default_priority - number : number;
    return out;
  }
  return std::nullopt;
}

/// False: the constant is something else than functions.
bool functions_in(const llvm::Constant& constant, std::vector<const llvm::Function*>& out) {
  const llvm::Constant* plain = constant.stripPointerCasts();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(plain)) {
    out.push_back(function);
    return true;
  }
  const auto* aggregate = llvm::dyn_cast<llvm::ConstantAggregate>(plain);
  return aggregate != nullptr && llvm::all_of(aggregate->operands(), [&](const llvm::Use& part) {
           return functions_in(*llvm::cast<llvm::Constant>(part.get()), out);
         });
}

void add_unseen(Lowering& lowering, const std::string& what) {
  lowering.program.unseen.push_back(lowering.program.arena.text(what));
}

void read_assembly(Lowering& lowering) {
  const llvm::StringRef text = llvm::StringRef(lowering.module.getModuleInlineAsm()).trim();
  if (text.empty()) return;
  std::string shown = text.substr(0, longest_shown).str();
  for (char& c : shown)
    if (c == '\n' || c == '\t') c = ' ';
  add_unseen(lowering, "assembly outside of functions: \"" + shown + (text.size() > longest_shown ? "…\"" : "\""));
}

}  // namespace

void read_startup_sections(Lowering& lowering) {
  read_assembly(lowering);
  for (const llvm::Function& function : lowering.module)
    if (!function.isDeclaration() && (function.getSection() == ".init" || function.getSection() == ".fini"))
      add_unseen(lowering, "'" + function.getName().str() + "' lies in section " + function.getSection().str());
  for (const llvm::GlobalVariable& variable : lowering.module.globals()) {
    const auto list = list_section(variable.getSection());
    if (!list || variable.isDeclaration()) continue;
    std::vector<const llvm::Function*> functions;
    if (!functions_in(*variable.getInitializer(), functions))
      add_unseen(lowering,
                 "'" + variable.getName().str() + "' in section " + variable.getSection().str() + " is no function");
    for (const llvm::Function* function : functions)
      lowering.startup_sections.push_back({list->when, list->priority, function});
  }
}

}  // namespace heddle::frontend
