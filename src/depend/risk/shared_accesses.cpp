// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/shared_accesses.h"

#include "depend/system/status_register.h"

namespace heddle::depend {

SharedAccesses::SharedAccesses(const Program& program, const alias::AliasFacts& aliases)
    : program_(program), aliases_(aliases), places_(program, alias::GlobalPlaces::Callers::AreSeen) {
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    if (program.globals[GlobalId(g)].is_constant || program.functions.empty()) continue;
    const alias::Place place = aliases.place(FunctionId(0), Operand::global(GlobalId(g)));
    if (place.valid() && place.object.valid()) by_object_[place.object].push_back(GlobalId(g));
  }
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
}

void SharedAccesses::look_at(FunctionId id) {
  const Function& function = program_.functions[id];
  for (const AccessSite& site : access_sites(program_, function)) {
    const Operand address = function.operands_of(function.instructions[site.instruction])[site.address_operand];
    if (const auto place = places_.place(id, address)) {
      add(place->global, id, site, place->offset, true);
    } else if (const GlobalId global = places_.global(id, address); global.valid()) {
      add(global, id, site, 0, false);
    } else if (const alias::Place leads = aliases_.place(id, address); leads.valid()) {
      const auto globals = by_object_.find(leads.object);
      if (globals == by_object_.end()) continue;
      for (const GlobalId one : globals->second) add(one, id, site, 0, false);
    }
  }
}

void SharedAccesses::add(GlobalId global, FunctionId function, const AccessSite& site, std::int64_t offset,
                         bool is_exact) {
  if (program_.globals[global].is_constant || is_processor_state(program_, program_.globals[global])) return;
  Access access{.variable = global, .function = function, .instruction = site.instruction, .offset = offset};
  access.reads = site.kind == AccessKind::Read || site.kind == AccessKind::Update;
  access.writes = heddle::writes(site.kind);
  access.size = is_exact ? site.size.value_or(0) : 0;
  all_[global].push_back(access);
}

}  // namespace heddle::depend
