// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/virtual_tables.h"

#include <algorithm>

#include "program/model/function_queries.h"

namespace heddle::scan {
namespace {

const Relocation* word_at(const Global& global, std::int64_t offset) {
  const auto at = std::ranges::lower_bound(global.relocations, offset, {},
                                           [](const Relocation& r) { return static_cast<std::int64_t>(r.offset); });
  return at != global.relocations.end() && static_cast<std::int64_t>(at->offset) == offset ? &*at : nullptr;
}

}  // namespace

VirtualTables::VirtualTables(const Program& program, DeclaredPlaces& places)
    : program_(program), places_(places), word_(program.layout.pointer_bits / 8), is_table_(program.globals.size()) {
  for (std::size_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    is_table_[g] = global.is_constant && std::ranges::any_of(global.relocations, [&](const Relocation& word) {
                     return word.target.is_function() &&
                            !places.keys().at(global.source_type, static_cast<std::int64_t>(word.offset)).record;
                   });
  }
  if (std::ranges::none_of(is_table_, [](bool is) { return is; })) return;
  for (std::size_t g = 0; g < program.globals.size(); ++g) collect(program.globals[GlobalId(g)]);
  for (std::size_t f = 0; f < program.functions.size(); ++f) collect(FunctionId(f));
  list_bases();
}

/// Objects that no constructor has to fill, and tables of tables (virtual base classes).
void VirtualTables::collect(const Global& global) {
  for (const Relocation& word : global.relocations)
    if (word.target.kind() == Operand::Kind::Global && is_table(word.target.as_global())) {
      const AddressPoint point{word.target.as_global(), word.addend};
      add_point(point);
      points_.at(point).has_virtual_bases = true;
    }
}

void VirtualTables::add_point(const AddressPoint& point) {
  const auto [at, is_new] = points_.try_emplace(point);
  if (is_new) at->second.info = class_of(point);
}

void VirtualTables::collect(FunctionId id) {
  const Function& f = program_.functions[id];
  for (const Instruction& i : f.instructions) {
    for (const Operand operand : f.operands_of(i))
      if (operand.kind() == Operand::Kind::Global && is_table(operand.as_global()) && i.opcode != Opcode::Gep)
        add_point({operand.as_global(), 0});
    if (i.opcode == Opcode::Gep) {
      const auto base = f.operands_of(i)[0];
      if (base.kind() != Operand::Kind::Global || !is_table(base.as_global())) continue;
      add_point({base.as_global(), f.geps[i.extra].constant_offset});
    }
    if (i.opcode == Opcode::Store) note_class(id, i);
  }
}

std::optional<VirtualTables::AddressPoint> VirtualTables::address_point(const Function& f, Operand value) const {
  if (!value.is_value() || f.is_parameter(value.as_value())) return std::nullopt;
  const Instruction& gep = f.instructions[f.definition(value.as_value())];
  if (gep.opcode != Opcode::Gep) return std::nullopt;
  const Operand base = f.operands_of(gep)[0];
  if (base.kind() != Operand::Kind::Global || !is_table(base.as_global())) return std::nullopt;
  return AddressPoint{base.as_global(), f.geps[gep.extra].constant_offset};
}

/// What is stored in `this` belongs to the class of `this`. Elsewhere, an object of a derived class may be made in
/// place of one of its base.
void VirtualTables::note_class(FunctionId id, const Instruction& store) {
  const Function& f = program_.functions[id];
  const auto operands = f.operands_of(store);
  const auto point = address_point(f, operands[0]);
  if (!point) return;
  Operand object = operands[1];
  if (object.is_value() && !f.is_parameter(object.as_value())) {
    const Instruction& gep = f.instructions[f.definition(object.as_value())];
    if (gep.opcode == Opcode::Gep) object = f.operands_of(gep)[0];
  }
  if (!object.is_value() || !f.is_parameter(object.as_value()) || object.index() != 0) return;
  const GlobalId info = class_of(*point);
  add_point(*point);
  for (const TypeId type : places_.classes(id, object)) {
    if (info) of_class_[look(type)].insert(info);
    add_base_looks(type, points_.at(*point).looks);
  }
}

void VirtualTables::add_base_looks(TypeId record, std::set<ContentHash>& out) const {
  if (!out.insert(look(record)).second) return;
  for (const Field& field : program_.types[record].fields)
    if (field.is_base && field.type) add_base_looks(field.type, out);
}

GlobalId VirtualTables::class_of(const AddressPoint& point) const {
  const Relocation* info = word_at(program_.globals[point.table], point.offset - word_);
  return info != nullptr && info->target.kind() == Operand::Kind::Global ? info->target.as_global() : GlobalId{};
}

/// Behind its own table and its name, type information leads to that of the base classes.
void VirtualTables::list_bases() {
  for (const auto& [point, of] : points_) {
    const GlobalId info = of.info;
    if (!info || bases_.contains(info)) continue;
    std::set<GlobalId>& all = bases_[info];
    std::vector<GlobalId> open{info};
    while (!open.empty()) {
      const GlobalId one = open.back();
      open.pop_back();
      if (!all.insert(one).second) continue;
      for (const Relocation& word : program_.globals[one].relocations)
        if (static_cast<std::int64_t>(word.offset) >= 2 * word_ && word.target.kind() == Operand::Kind::Global)
          open.push_back(word.target.as_global());
    }
  }
}

/// Units that know more or less of what its members point to have types of their own for one class.
ContentHash VirtualTables::look(TypeId id) const {
  const Type& record = program_.types[id];
  Hasher hash;
  hash.add(record.name).add(record.size_bits);
  for (const Field& field : record.fields) hash.add(field.name).add(field.offset_bits).add(field.size_bits);
  return hash.finish();
}

std::optional<VirtualTables::Slot> VirtualTables::slot_of(const Function& f, Operand callee) const {
  const auto defined_by = [&](Operand value, Opcode opcode) -> const Instruction* {
    const Instruction* source = definition_of(f, value);
    return source != nullptr && source->opcode == opcode ? source : nullptr;
  };
  const Instruction* load = defined_by(callee, Opcode::Load);
  if (load == nullptr) return std::nullopt;
  Operand address = f.operands_of(*load)[0];
  Slot out;
  if (const Instruction* gep = defined_by(address, Opcode::Gep)) {
    const GepInfo& info = f.geps[gep->extra];
    if (std::ranges::any_of(info.strides, [](std::int64_t stride) { return stride != 0; })) return std::nullopt;
    out.offset = info.constant_offset;
    address = f.operands_of(*gep)[0];
  }
  const Instruction* table = defined_by(address, Opcode::Load);
  if (table == nullptr) return std::nullopt;
  out.object = f.operands_of(*table)[0];
  return out;
}

VirtualTables::Declared VirtualTables::declared(const std::vector<TypeId>& classes) const {
  Declared out;
  bool all_known = true;
  for (const TypeId type : classes) {
    const ContentHash name = look(type);
    out.looks.insert(name);
    const auto known = of_class_.find(name);
    all_known &= known != of_class_.end();
    if (known != of_class_.end()) out.infos.insert(known->second.begin(), known->second.end());
  }
  if (!all_known) out.infos.clear();
  return out;
}

/// Virtual base classes are in the type information only.
bool VirtualTables::may_be(const ClassOfPoint& point, const Declared& declared) const {
  if (point.info && !declared.infos.empty())
    return std::ranges::any_of(declared.infos, [&](GlobalId one) { return bases_.at(point.info).contains(one); });
  if (point.info || point.looks.empty() || point.has_virtual_bases || declared.looks.empty()) return true;
  return std::ranges::any_of(declared.looks, [&](const ContentHash& one) { return point.looks.contains(one); });
}

const std::vector<VirtualTables::Entry>& VirtualTables::entries(std::int64_t slot) {
  const auto [at, is_new] = entries_.try_emplace(slot);
  if (is_new)
    for (const auto& [point, of] : points_) {
      const Relocation* word = word_at(program_.globals[point.table], point.offset + slot);
      if (word != nullptr && word->target.is_function()) at->second.push_back({word->target.as_function(), &of});
    }
  return at->second;
}

bool VirtualTables::fits(const Function& target, const Function& caller, const Instruction& call) const {
  const auto arguments = caller.arguments_of(call);
  if (target.is_vararg) return arguments.size() >= target.parameters.size();
  if (arguments.size() != target.parameters.size()) return false;
  const Type& wanted = program_.types[caller.calls[call.extra].function_type];
  if (wanted.parameters.size() != target.parameters.size()) return true;
  for (std::size_t i = 0; i < wanted.parameters.size(); ++i) {
    const Type &a = program_.types[wanted.parameters[i]], &b = program_.types[target.parameters[i]];
    if (a.kind != b.kind || a.size_bits != b.size_bits) return false;
  }
  return true;
}

VirtualTables::Targets VirtualTables::targets(FunctionId caller, const Instruction& call) {
  const Function& f = program_.functions[caller];
  const auto slot = points_.empty() ? std::nullopt : slot_of(f, f.operands_of(call)[0]);
  if (!slot) return {};
  const std::vector<TypeId> classes = places_.classes(caller, slot->object);
  const Declared as = declared(classes);
  Targets out;
  out.is_virtual = !classes.empty();
  for (const auto& [target, of] : entries(slot->offset))
    if (may_be(*of, as) && fits(program_.functions[target], f, call)) out.functions.push_back(target);
  std::ranges::sort(out.functions);
  const auto rest = std::ranges::unique(out.functions);
  out.functions.erase(rest.begin(), rest.end());
  return out;
}

}  // namespace heddle::scan
