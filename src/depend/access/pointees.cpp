// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/pointees.h"

#include <algorithm>

#include "depend/access/last_step.h"
#include "program/names/access_site.h"

namespace heddle::depend {

Pointees::Pointees(const Program& program, const System& system, const CallGraph& calls,
                   const alias::GlobalPlaces& places, const GlobalClasses& classes,
                   const std::vector<std::vector<bool>>& reached)
    : program_(program), system_(system), calls_(calls), places_(places), classes_(classes), reached_(reached) {
  for (std::size_t g = 0; g < program.globals.size(); ++g)
    if (program.globals[GlobalId(g)].is_declaration()) unknown_.insert(GlobalId(g));
  for (std::size_t f = 0; f < program.functions.size(); ++f)
    if (program.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
}

void Pointees::look_at(FunctionId id) {
  const Function& function = program_.functions[id];
  const auto lose = [&](Operand address) {
    const std::vector<GlobalId> globals = classes_.behind(id, address);
    unknown_.insert(globals.begin(), globals.end());
  };
  for (const AccessSite& site : access_sites(program_, function)) {
    if (!heddle::writes(site.kind)) continue;
    const Instruction& code = function.instructions[site.instruction];
    const Operand address = function.operands_of(code)[site.address_operand];
    const auto place = places_.place(id, address);
    if (place && code.opcode == Opcode::Store)
      stores_[*place].push_back({id, site.instruction});
    else
      lose(address);
  }
  for (const Instruction& code : function.instructions) {
    if (!code.is_call()) continue;
    const Operand callee = function.operands_of(code)[0];
    if (callee.is_function() && program_.functions[callee.as_function()].has_body()) continue;
    for (const Operand argument : function.arguments_of(code)) lose(argument);
  }
}

bool Pointees::is_unsteady(FunctionId function, const std::vector<Store>& stores) const {
  for (std::size_t e = 0; e < reached_.size(); ++e) {
    if (!reached_[e][function.index()]) continue;
    for (std::size_t i = 0; i < reached_.size(); ++i)
      if (system_.can_interrupt(i, e) &&
          std::ranges::any_of(stores, [&](const Store& store) { return reached_[i][store.function.index()]; }))
        return true;
  }
  return false;
}

/// On every way to the load.
std::optional<Operand> Pointees::last_stored(FunctionId id, std::size_t load, const std::vector<Store>& stores) const {
  if (is_unsteady(id, stores)) return std::nullopt;
  const Function& function = program_.functions[id];
  std::map<std::size_t, std::optional<Operand>> steps;
  for (const Store& store : stores)
    if (store.function == id)
      steps[store.instruction] = function.operands_of(function.instructions[store.instruction])[0];
  std::vector<FunctionId> storing;
  for (const Store& store : stores) storing.push_back(store.function);
  const auto leading = calls_.leading_to(storing);
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    if (std::ranges::any_of(calls_.targets(id, i), [&](FunctionId target) { return leading.contains(target); }))
      steps[i] = std::nullopt;
  return last_step(function, calls_.cfg(id), steps, calls_.block_of(id, load), load, std::optional<Operand>());
}

std::vector<alias::GlobalPlace> Pointees::of(FunctionId id, Operand address) const {
  const Function& function = program_.functions[id];
  std::int64_t offset = 0;
  while (address.is_value() && !function.is_parameter(address.as_value())) {
    const Instruction& code = function.instructions[function.definition(address.as_value())];
    if (code.opcode != Opcode::Gep || !function.geps[code.extra].strides.empty()) break;
    offset += function.geps[code.extra].constant_offset;
    address = function.operands_of(code)[0];
  }
  if (!address.is_value() || function.is_parameter(address.as_value())) return {};
  const std::size_t load = function.definition(address.as_value());
  if (function.instructions[load].opcode != Opcode::Load) return {};
  const auto pointer = places_.place(id, function.operands_of(function.instructions[load])[0]);
  if (!pointer || unknown_.contains(pointer->global)) return {};
  const auto stores = stores_.find(*pointer);
  if (stores == stores_.end()) return {};
  std::vector<Place> found;
  const auto add = [&](FunctionId at, Operand stored) {
    const auto place = places_.place(at, stored);
    if (place) found.push_back({place->global, place->offset + offset});
    return place.has_value();
  };
  if (const auto last = last_stored(id, load, stores->second)) {
    if (add(id, *last)) return found;
    return {};
  }
  for (const Relocation& relocation : program_.globals[pointer->global].relocations)
    if (static_cast<std::int64_t>(relocation.offset) == pointer->offset) {
      if (!relocation.target.is_global()) return {};
      found.push_back({relocation.target.as_global(), relocation.addend + offset});
    }
  for (const Store& store : stores->second) {
    const Function& at = program_.functions[store.function];
    const Operand value = at.operands_of(at.instructions[store.instruction])[0];
    const bool is_null = value.is_constant() && program_.constants[value.as_constant()].kind == Constant::Kind::Null;
    if (!is_null && !add(store.function, value)) return {};
  }
  std::ranges::sort(found);
  const auto same = std::ranges::unique(found);
  found.erase(same.begin(), same.end());
  return found;
}

}  // namespace heddle::depend
