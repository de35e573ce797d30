// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/frontend.h"

#include <llvm/IR/LLVMContext.h>

#include "frontend/clang/compile.h"
#include "frontend/clang/crash_guard.h"
#include "frontend/clang/read_ir.h"
#include "frontend/clang/toolchain.h"
#include "frontend/lower/lowering.h"
#include "program/link/link.h"

namespace heddle::frontend {
namespace {

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
