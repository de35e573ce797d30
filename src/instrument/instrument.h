// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instrumenting: one unit becomes an object file in which a hook of runtime/heddle_runtime.h stands in front of every
// access to memory that other threads may know.
//
//   compile (frontend) → bitcode → clean-up and lowering, as for analysis → hooks → code for this machine
//
// The hooks hand over the numbers that the accesses have in the analysis: the module is lowered to a Program first, and
// names are made from that Program and from nothing else. No hook stands in front of locals whose address stays in the
// function and of constants, unless all are wanted. What library functions do with their arguments is taken from the
// API models; what a model cannot say in terms of addresses and sizes is counted by the function's name. `main` is
// called __heddle1_main then.
//
// Behind the hooks only passes run that keep each access behind its own hook: a hook is a call of an unknown function
// that has been given the address. Cost: code generation at -O1, about as long as clang's own work.
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/models/api_models.h"
#include "base/result.h"
#include "frontend/clang/source.h"
#include "program/model/program.h"
#include "program/names/access_table.h"

namespace heddle::instrument {

struct HookOptions {
  bool hook_all = false;   ///< every load and store, also of what is private
  bool tell_ways = false;  ///< branches, too: which way each thread takes
  bool with_tsan = false;  ///< ThreadSanitizer's own calls as well, behind the hooks
  /// Functions and variables that the program has, wherever: they are what its code says, and no model's business.
  std::set<std::string, std::less<>> defined = {};
};

/// What was hooked, and what could not be.
struct HookCounts {
  std::size_t accesses = 0;                          ///< hooks in front of accesses of the code itself
  std::size_t left_alone = 0;                        ///< accesses to private memory or constants
  std::size_t library = 0;                           ///< what called library functions touch
  std::size_t calls = 0;                             ///< __heddle1_call
  std::size_t ends = 0;                              ///< ends of blocks
  std::size_t assembly = 0;                          ///< inline assembly: what it touches is not known
  std::map<std::string, std::size_t> unsaid = {};    ///< calls whose models cannot say all they touch, by function
  std::map<std::string, std::size_t> unknown = {};   ///< calls of functions without body and model
  std::map<std::string, std::size_t> ordering = {};  ///< calls of library functions that may order threads unseen
  HookCounts& operator+=(const HookCounts& other);
};

struct InstrumentedUnit {
  std::string object;  ///< an ELF file
  AccessTable accesses;
  HookCounts counts;
};

/// A unit before it is instrumented.
struct UnitCode {
  std::string name = {};                  ///< for messages
  std::string bitcode = {};               ///< compiled, or as it was kept by a capture
  bool is_ir = false;                     ///< read as LLVM's IR, not compiled
  std::vector<std::string> defines = {};  ///< functions and variables that it has and others may use
  std::vector<std::string> needs = {};    ///< those that it declares only
};

/// Compiles a source, or reads LLVM's own files. The bitcode names the unit's content.
Result<UnitCode> compile_to_bitcode(const frontend::Source& source, const frontend::Options& options);

/// `names`: the unit as the analysis has it, where the files are called as the project calls them; null: as the bitcode
/// calls them.
Result<InstrumentedUnit> instrument(const UnitCode& code, const Program* names, const api::ApiModels& models,
                                    const HookOptions& options);

}  // namespace heddle::instrument
