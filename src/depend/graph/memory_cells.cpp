// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/graph/memory_cells.h"

#include <algorithm>

namespace heddle::depend {
namespace {

constexpr std::size_t most_globals_of_pointer = 8;

bool may_overlap(std::int64_t a, std::uint64_t a_size, std::int64_t b, std::uint64_t b_size) {
  if (a_size == 0 || b_size == 0) return true;
  return a < b + static_cast<std::int64_t>(b_size) && b < a + static_cast<std::int64_t>(a_size);
}

/// How many bytes it may lie in; 0: all of the variable.
std::uint64_t reach_of(const Access& access) {
  return access.size == 0 ? 0 : access.size + static_cast<std::uint64_t>(access.reach);
}

bool covers(std::int64_t a, std::uint64_t a_size, std::int64_t b, std::uint64_t b_size) {
  return a_size != 0 && b_size != 0 && a <= b &&
         b + static_cast<std::int64_t>(b_size) <= a + static_cast<std::int64_t>(a_size);
}

}  // namespace

MemoryCells::MemoryCells(const AccessFacts& facts)
    : program_(facts.program),
      aliases_(facts.aliases),
      calls_(facts.calls),
      shared_(facts.accesses),
      places_(facts.places),
      classes_(facts.classes) {
  for (std::size_t f = 0; f < program_.functions.size(); ++f)
    if (program_.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
}

void MemoryCells::look_at(FunctionId id) {
  const Function& function = program_.functions[id];
  for (const AccessSite& site : access_sites(program_, function)) {
    if (!writes(site.kind)) continue;
    const Operand address = function.operands_of(function.instructions[site.instruction])[site.address_operand];
    if (places_.global(id, address).valid() || places_.place(id, address)) continue;
    const alias::Place place = aliases_.place(id, address);
    if (!place.valid()) continue;
    ObjectWrite write{.write = {id, site.instruction, false}, .frame = {}};
    if (const auto own = local(id, address, site.size.value_or(0))) {
      write.frame = id;
      write.slot = own->slot;
      write.offset = own->offset;
      write.size = own->size;
    }
    writes_[place.object].push_back(write);
  }
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    if (function.instructions[i].is_call()) add_external(id, i);
}

/// A call of a function without a body, or model of its own: it may write what it gets the address of.
void MemoryCells::add_external(FunctionId id, std::size_t call) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[call];
  const Operand callee = function.operands_of(code)[0];
  if (!callee.is_function()) return;
  const Function& target = program_.functions[callee.as_function()];
  if (target.has_body() || target.is_intrinsic) return;
  for (const Operand argument : function.arguments_of(code))
    if (const alias::Place place = aliases_.place(id, argument); place.valid() && place.object.valid())
      given_outside_[place.object].push_back({id, call, false});
}

/// The bytes of a local variable that lie at a fixed distance from its beginning.
std::optional<Cell> MemoryCells::local(FunctionId id, Operand address, std::uint64_t size) const {
  const Function& function = program_.functions[id];
  std::int64_t offset = 0;
  bool is_exact = true;
  while (address.is_value() && !function.is_parameter(address.as_value())) {
    const std::size_t at = function.definition(address.as_value());
    const Instruction& code = function.instructions[at];
    if (code.opcode == Opcode::Alloca)
      return Cell{.function = id,
                  .slot = static_cast<std::uint32_t>(at),
                  .offset = is_exact ? offset : 0,
                  .size = is_exact ? size : 0};
    if (code.opcode == Opcode::Gep) {
      offset += function.geps[code.extra].constant_offset;
      is_exact = is_exact && function.geps[code.extra].strides.empty();
    } else if (code.opcode != Opcode::Cast) {
      break;
    }
    address = function.operands_of(code)[0];
  }
  return std::nullopt;
}

std::vector<Cell> MemoryCells::touched(FunctionId id, const AccessSite& site) const {
  const Function& function = program_.functions[id];
  const Operand address = function.operands_of(function.instructions[site.instruction])[site.address_operand];
  const std::uint64_t size = site.size.value_or(0);
  if (const auto place = places_.place(id, address))
    return {Cell{.global = place->global, .offset = place->offset, .size = size}};
  if (const GlobalId global = places_.global(id, address); global.valid()) return {Cell{.global = global}};
  if (const auto own = local(id, address, size)) return {*own};
  const alias::Place leads = aliases_.place(id, address);
  if (!leads.valid()) return {};
  std::vector<Cell> cells{Cell{.object = leads.object}};
  if (const auto globals = classes_.in(leads.object); globals.size() <= most_globals_of_pointer)
    for (const GlobalId one : globals) cells.push_back(Cell{.global = one});
  return cells;
}

alias::ClassId MemoryCells::object_of(const Cell& cell) const {
  if (cell.object.valid()) return cell.object;
  const Operand address = cell.global ? Operand::global(cell.global)
                                      : Operand::value(program_.functions[cell.function].result_of(cell.slot));
  return aliases_.place(cell.global ? FunctionId(0) : cell.function, address).object;
}

void MemoryCells::add_shared(const Cell& cell, CellWriters& to) const {
  const auto all = shared_.all().find(cell.global);
  if (all == shared_.all().end()) return;
  for (const Access& access : all->second)
    if (access.writes && may_overlap(access.offset, reach_of(access), cell.offset, cell.size))
      to.writes.push_back({access.function, access.instruction,
                           is_fixed(access) && covers(access.offset, access.size, cell.offset, cell.size)});
}

void MemoryCells::add_objects(const Cell& cell, CellWriters& to) const {
  const alias::ClassId object = object_of(cell);
  if (!object.valid()) return;
  if (const auto all = writes_.find(object); all != writes_.end() && !cell.global)
    for (const ObjectWrite& one : all->second) {
      const bool is_both_local = one.frame.valid() && cell.function.valid();
      const bool is_same = one.frame == cell.function && one.slot == cell.slot;
      if (is_both_local && (!is_same || !may_overlap(one.offset, one.size, cell.offset, cell.size))) continue;
      to.writes.push_back({one.write.function, one.write.instruction,
                           is_both_local && covers(one.offset, one.size, cell.offset, cell.size)});
    }
  if (const auto all = given_outside_.find(object); all != given_outside_.end())
    to.writes.insert(to.writes.end(), all->second.begin(), all->second.end());
}

const CellWriters& MemoryCells::writers(const Cell& cell) {
  const auto [at, is_new] = writers_.try_emplace(cell);
  CellWriters& found = at->second;
  if (!is_new) return found;
  if (cell.global) add_shared(cell, found);
  add_objects(cell, found);
  std::ranges::sort(found.writes, {}, [](const CellWrite& one) { return std::pair(one.function, one.instruction); });
  const auto last = std::ranges::unique(found.writes, {},
                                        [](const CellWrite& one) { return std::pair(one.function, one.instruction); });
  found.writes.erase(last.begin(), last.end());
  std::vector<FunctionId> functions;
  for (const CellWrite& one : found.writes) functions.push_back(one.function);
  found.may_write = calls_.leading_to(functions);
  return found;
}

const std::vector<CellEvent>& MemoryCells::events(FunctionId function, const Cell& cell) {
  const auto [at, is_new] = events_.try_emplace({function, cell});
  std::vector<CellEvent>& found = at->second;
  if (!is_new) return found;
  const CellWriters& who = writers(cell);
  if (!who.may_write.contains(function)) return found;
  const auto own = std::ranges::equal_range(who.writes, function, {}, &CellWrite::function);
  for (const CellWrite& write : own) found.push_back({write.instruction, false, write.is_sure});
  const auto& code = program_.functions[function].instructions;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (!code[i].is_call()) continue;
    const auto may_write = [&](FunctionId target) { return who.may_write.contains(target); };
    if (std::ranges::any_of(calls_.targets(function, i), may_write)) found.push_back({i, true, false});
  }
  std::ranges::sort(found, {}, &CellEvent::instruction);
  return found;
}

}  // namespace heddle::depend
