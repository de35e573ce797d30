// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>

#include "program/link/link_annotations.h"
#include "program/link/link_copy.h"
#include "program/link/link_symbols.h"

namespace heddle {
namespace {

struct StartupCall {
  std::uint32_t priority;
  std::size_t position;  ///< equal priority: as they were listed
  FunctionId function;
  std::uint32_t unit;
};

void run_at_startup(Program& program, const std::vector<Program>& units, const SymbolIds& ids) {
  std::vector<StartupCall> before;
  std::vector<StartupCall> after;
  for (std::uint32_t u = 0; u < units.size(); ++u) {
    const Program& unit = units[u];
    for (std::size_t i = 0; i < unit.constructors.size(); ++i)
      before.push_back({unit.constructor_priorities[i], before.size(), ids.of(u, unit.constructors[i]), u});
  }
  for (auto u = static_cast<std::uint32_t>(units.size()); u-- > 0;) {
    const Program& unit = units[u];
    for (std::size_t i = 0; i < unit.destructors.size(); ++i)
      after.push_back({unit.destructor_priorities[i], after.size(), ids.of(u, unit.destructors[i]), u});
  }
  // A constructor that several units share runs once.
  std::ranges::sort(before, {}, [](const StartupCall& c) { return std::pair(c.priority, c.position); });
  std::ranges::sort(after, {}, [](const StartupCall& c) { return std::pair(~c.priority, c.position); });
  const auto append = [](const std::vector<StartupCall>& calls, std::vector<FunctionId>& functions,
                         std::vector<std::uint32_t>& priorities) {
    std::map<FunctionId, std::uint32_t> from;
    for (const StartupCall& call : calls) {
      if (!call.function || from.try_emplace(call.function, call.unit).first->second != call.unit) continue;
      functions.push_back(call.function);
      priorities.push_back(call.priority);
    }
  };
  append(before, program.constructors, program.constructor_priorities);
  append(after, program.destructors, program.destructor_priorities);
}

/// Bodies that the compiler left out and no unit has.
void keep_missing_bodies(const std::vector<MissingBody>& candidates, Program& program) {
  for (const MissingBody& missing : candidates) {
    const FunctionId id = program.find_function(missing.symbol);
    if (!id || program.functions[id].has_body()) continue;
    if (std::ranges::find(program.missing_bodies, missing.symbol, &MissingBody::symbol) == program.missing_bodies.end())
      program.missing_bodies.push_back(missing);
  }
}

/// Names of places in memory that a linker gives: the bounds of a section, of data, of code. They lie in or beside
/// variables of the program, under another name.
bool is_made_by_linker(std::string_view name) {
  constexpr std::string_view bounds[] = {"_end",         "end",
                                         "__end__",      "_edata",
                                         "edata",        "_etext",
                                         "etext",        "__etext",
                                         "__data_start", "data_start",
                                         "_bss_end__",   "__bss_end__",
                                         "__bss_start",  "__bss_start__",
                                         "__ehdr_start", "__executable_start",
                                         "_DYNAMIC",     "_GLOBAL_OFFSET_TABLE_",
                                         "__TMC_END__",  "__CTOR_LIST__",
                                         "__DTOR_LIST__"};
  for (const std::string_view list : {"__init_array_", "__fini_array_", "__preinit_array_"})
    if (name.starts_with(list)) return true;
  return name.starts_with("__start_") || name.starts_with("__stop_") ||
         std::ranges::find(bounds, name) != std::end(bounds);
}

/// What the units say of themselves, and the symbols that only the linker knows. Behind indexing of names.
void keep_unseen(const std::vector<std::string_view>& told, Program& program) {
  for (const std::string_view what : told)
    if (std::ranges::find(program.unseen, what) == program.unseen.end()) program.unseen.push_back(what);
  for (const Global& global : program.globals)
    if (global.is_declaration() && is_made_by_linker(global.name))
      program.unseen.push_back(program.arena.text("the linker decides where '" + std::string(global.name) + "' lies"));
}

std::optional<Error> check_machines(const std::vector<Program>& units, const std::vector<std::string>& labels) {
  const DataLayout& first = units.front().layout;
  for (std::size_t u = 1; u < units.size(); ++u) {
    const DataLayout& other = units[u].layout;
    if (other.pointer_bits != first.pointer_bits || other.little_endian != first.little_endian)
      return Error{labels[u] + ": error: is compiled for " + other.triple + ", " + labels[0] + " for " + first.triple +
                   "; give units of one machine only"};
  }
  return std::nullopt;
}

}  // namespace

Result<Linked> link(std::vector<Program> units) {
  Linked out;
  if (units.empty()) return out;
  std::vector<std::string> names;
  for (const Program& unit : units) names.push_back(unit.units.empty() ? "unit" : unit.units.front());
  const std::vector<std::string> labels = unit_labels(names);
  if (auto failure = check_machines(units, labels)) return std::unexpected(std::move(*failure));
  Resolution resolution = resolve_symbols(units, labels);
  share_inline_functions(units, resolution);
  out.conflicts = std::move(resolution.conflicts);
  out.program.layout = units.front().layout;
  for (const Program& unit : units)
    out.program.units.insert(out.program.units.end(), unit.units.begin(), unit.units.end());
  const SymbolIds ids = declare_symbols(units, labels, resolution, out.program);
  run_at_startup(out.program, units, ids);
  std::vector<MissingBody> missing;
  for (const Program& unit : units)
    for (const MissingBody& row : unit.missing_bodies)
      missing.push_back({out.program.arena.text(row.symbol), out.program.arena.text(row.place)});
  std::vector<std::string_view> unseen;
  for (const Program& unit : units)
    for (const std::string_view what : unit.unseen) unseen.push_back(out.program.arena.text(what));
  link_annotations(units, ids, out.program);
  copy_units(std::move(units), ids, out.program);
  out.program.index_names();
  keep_missing_bodies(missing, out.program);
  keep_unseen(unseen, out.program);
  return out;
}

}  // namespace heddle
