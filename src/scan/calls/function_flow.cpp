// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/calls/function_flow.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::scan {
namespace {

/// What is done with pointers that is not followed: kept as numbers, in values of struct type, exchanged.
bool hides_pointers(const Instruction& i) {
  return i.opcode == Opcode::InsertValue || i.opcode == Opcode::InsertElement || i.opcode == Opcode::AtomicRmw ||
         i.opcode == Opcode::CmpXchg || (i.opcode == Opcode::Cast && i.cast_op() == CastOp::PtrToInt);
}

}  // namespace

FunctionFlow::FunctionFlow(const Program& program, const SourceStructs& sources)
    : program_(program), places_(program, sources), tables_(program, places_) {
  slot(SlotKind::Outside, 0, 0);
  for (std::uint32_t g = 0; g < program.globals.size(); ++g) {
    const Global& global = program.globals[GlobalId(g)];
    for (const Relocation& word : global.relocations) {
      if (!word.target.is_function()) continue;
      const MemberKey key = places_.keys().at(global.source_type, static_cast<std::int64_t>(word.offset));
      if (key.record) {
        add(member_slot(key), word.target.as_function());
      } else {
        // An array of pointers, or a table of virtual functions: it has an address that may be anywhere.
        add(slot(SlotKind::Global, g, 0), word.target.as_function());
        add(outside, word.target.as_function());
      }
    }
  }
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) collect(FunctionId(f));
  propagate();
}

FunctionFlow::SlotId FunctionFlow::slot(SlotKind kind, std::uint32_t what, std::uint32_t which) {
  const std::uint64_t name = static_cast<std::uint64_t>(kind) << 61 | static_cast<std::uint64_t>(what) << 32 | which;
  const auto [at, is_new] = ids_.try_emplace(name, static_cast<SlotId>(functions_.size()));
  if (is_new) {
    functions_.emplace_back();
    fresh_.emplace_back();
    successors_.emplace_back();
    calls_.emplace_back();
  }
  return at->second;
}

/// Units that know more or less of what its members point to have types of their own for one struct.
FunctionFlow::SlotId FunctionFlow::member_slot(MemberKey key) {
  const auto [known, is_new] = looks_.try_emplace(key.record);
  if (is_new) {
    const Type& record = program_.types[key.record];
    Hasher look;
    look.add(record.name).add(record.size_bits);
    for (const Field& field : record.fields) look.add(field.name).add(field.offset_bits).add(field.size_bits);
    known->second = first_alike_.try_emplace(look.finish(), key.record).first->second;
  }
  return slot(SlotKind::Member, known->second.index(), static_cast<std::uint32_t>(key.offset));
}

FunctionFlow::SlotId FunctionFlow::slot_of_address(FunctionId id, Operand address) {
  const auto place = places_.at(id, address);
  if (const MemberKey key = places_.keys().at(place.type, place.offset); key.record) return member_slot(key);
  const Function& f = program_.functions[id];
  if (address.is_value() && !f.is_parameter(address.as_value())) {
    const Instruction& gep = f.instructions[f.definition(address.as_value())];
    if (gep.opcode == Opcode::Gep) address = f.operands_of(gep)[0];
  }
  if (address.kind() == Operand::Kind::Global) return slot(SlotKind::Global, address.index(), 0);
  return address.is_value() ? pointee_slot(id, address.as_value(), place.type) : none;
}

bool FunctionFlow::leads_to_code(TypeId pointee) const {
  if (!pointee || program_.types[pointee].kind != TypeKind::Pointer) return false;
  const TypeId code = program_.types[pointee].element;
  return code && program_.types[code].kind == TypeKind::Function;
}

/// `type`: declared for what lies there. A temporary has none.
FunctionFlow::SlotId FunctionFlow::pointee_slot(FunctionId id, ValueId value, TypeId type) {
  const Function& f = program_.functions[id];
  if (f.is_parameter(value)) return leads_to_code(type) ? slot(SlotKind::Pointee, id.index(), value.index()) : none;
  const Instruction& source = f.instructions[f.definition(value)];
  const auto operands = f.operands_of(source);
  if (source.is_call())
    return leads_to_code(type) && operands[0].is_function() ? slot(SlotKind::ResultPointee, operands[0].index(), 0)
                                                            : none;
  if (source.opcode != Opcode::Alloca || (type && !leads_to_code(type))) return none;
  // Nobody looks at all that is done with its address.
  const SlotId out = slot(SlotKind::Pointee, id.index(), value.index());
  join(out, outside);
  return out;
}

std::vector<FunctionFlow::SlotId> FunctionFlow::pointees(FunctionId id, Operand address) {
  const Function& f = program_.functions[id];
  std::vector<SlotId> out;
  seen_.clear();
  std::vector<Operand> open{address};
  while (!open.empty()) {
    const Operand one = open.back();
    open.pop_back();
    if (one.is_value() && !seen_.insert(one.index())) continue;
    if (const SlotId at = slot_of_address(id, one); at != none) {
      out.push_back(at);
      continue;
    }
    if (!one.is_value() || f.is_parameter(one.as_value())) continue;
    const Instruction& source = f.instructions[f.definition(one.as_value())];
    const auto operands = f.operands_of(source);
    if (source.opcode == Opcode::Phi)
      for (std::size_t k = 0; k + 1 < operands.size(); k += 2) open.push_back(operands[k]);
    if (source.opcode == Opcode::Select) open.insert(open.end(), {operands[1], operands[2]});
    if (source.opcode == Opcode::Cast || source.opcode == Opcode::Freeze) open.push_back(operands[0]);
    // Without a declared type, the argument of a call and its result have what the callee says.
    if (source.is_call() && operands[0].is_function())
      out.push_back(slot(SlotKind::ResultPointee, operands[0].index(), 0));
  }
  return out;
}

void FunctionFlow::unite(std::span<const SlotId> slots, SlotId with) {
  for (const SlotId one : slots)
    for (const auto [from, to] : {std::pair(one, with), std::pair(with, one)})
      if (join(from, to)) add_all(to, functions_[from]);
}

/// The caller's memory and what the callee's parameter leads to are one.
void FunctionFlow::collect_reference(FunctionId id, Operand argument, FunctionId callee, std::uint32_t parameter) {
  const Function& f = program_.functions[callee];
  if (!leads_to_code(places_.keys().named_pointee(f, ValueId(parameter)))) return;
  const SlotId there = slot(SlotKind::Pointee, callee.index(), parameter);
  const std::vector<SlotId> here = pointees(id, argument);
  unite(here, there);
  if (here.empty()) join(there, outside);
}

FunctionFlow::Sources FunctionFlow::sources(FunctionId id, Operand value) {
  const Function& f = program_.functions[id];
  Sources out;
  seen_.clear();
  std::vector<Operand> open{value};
  while (!open.empty()) {
    const Operand one = open.back();
    open.pop_back();
    if (one.is_function()) out.functions.push_back(one.as_function());
    if (!one.is_value() || !seen_.insert(one.index())) continue;
    if (f.is_parameter(one.as_value())) {
      out.slots.push_back(slot(SlotKind::Parameter, id.index(), one.index()));
      continue;
    }
    const Instruction& source = f.instructions[f.definition(one.as_value())];
    const auto operands = f.operands_of(source);
    switch (source.opcode) {
      case Opcode::Load:
        if (const SlotId from = slot_of_address(id, operands[0]); from != none) out.slots.push_back(from);
        break;
      case Opcode::Phi:
        for (std::size_t k = 0; k + 1 < operands.size(); k += 2) open.push_back(operands[k]);
        break;
      case Opcode::Select: open.insert(open.end(), {operands[1], operands[2]}); break;
      case Opcode::Cast:
      case Opcode::Freeze: open.push_back(operands[0]); break;
      case Opcode::Call:
      case Opcode::Invoke:
        if (operands[0].is_function()) out.slots.push_back(slot(SlotKind::Result, operands[0].index(), 0));
        break;
      default: break;
    }
  }
  return out;
}

void FunctionFlow::flow(SlotId to, FunctionId id, Operand value) {
  const auto [slots, functions] = sources(id, value);
  for (const FunctionId function : functions) add(to, function);
  for (const SlotId from : slots) join(from, to);
}

bool FunctionFlow::join(SlotId from, SlotId to) {
  if (from == to || !edges_.insert(std::uint64_t{from} << 32 | to)) return false;
  successors_[from].push_back(to);
  return true;
}

void FunctionFlow::add(SlotId to, FunctionId function) {
  std::vector<FunctionId>& known = functions_[to];
  const auto at = std::ranges::lower_bound(known, function);
  if (at != known.end() && *at == function) return;
  known.insert(at, function);
  std::vector<FunctionId>& fresh = fresh_[to];
  if (fresh.empty()) pending_.push_back(to);
  fresh.insert(std::ranges::lower_bound(fresh, function), function);
}

/// Many at once, sorted: rings of slots hand a thousand functions round.
void FunctionFlow::add_all(SlotId to, std::span<const FunctionId> functions) {
  std::vector<FunctionId> missing;
  std::ranges::set_difference(functions, functions_[to], std::back_inserter(missing));
  if (missing.empty()) return;
  if (fresh_[to].empty()) pending_.push_back(to);
  for (std::vector<FunctionId>* rows : {&functions_[to], &fresh_[to]}) {
    std::vector<FunctionId> both;
    both.reserve(rows->size() + missing.size());
    std::ranges::merge(*rows, missing, std::back_inserter(both));
    *rows = std::move(both);
  }
}

void FunctionFlow::collect(FunctionId id) {
  const Function& f = program_.functions[id];
  const auto is_pointer = [&](TypeId type) { return type && program_.types[type].kind == TypeKind::Pointer; };
  for (std::uint32_t i = 0; i < f.instructions.size(); ++i) {
    const Instruction& instruction = f.instructions[i];
    const auto operands = f.operands_of(instruction);
    if (instruction.opcode == Opcode::Store && is_pointer(instruction.access_type)) {
      const SlotId to = slot_of_address(id, operands[1]);
      flow(to == none ? outside : to, id, operands[0]);
    } else if (instruction.opcode == Opcode::Return && !operands.empty() &&
               is_pointer(program_.types[f.type].element)) {
      flow(slot(SlotKind::Result, id.index(), 0), id, operands[0]);
      if (f.source_type && leads_to_code(places_.keys().pointee(program_.types[f.source_type].element)))
        unite(pointees(id, operands[0]), slot(SlotKind::ResultPointee, id.index(), 0));
    } else if (instruction.is_call()) {
      collect_call(id, instruction, i);
    } else if (hides_pointers(instruction)) {
      leave(id, operands);
    }
  }
}

void FunctionFlow::leave(FunctionId id, std::span<const Operand> values) {
  const Function& f = program_.functions[id];
  for (const Operand value : values) {
    if (!value.is_function() && !value.is_value()) continue;
    if (value.is_value()) {
      const ValueId v = value.as_value();
      const TypeId type = f.is_parameter(v) ? f.parameters[v.index()] : f.instructions[f.definition(v)].type;
      if (!type || program_.types[type].kind != TypeKind::Pointer) continue;
    }
    flow(outside, id, value);
  }
}

void FunctionFlow::collect_call(FunctionId id, const Instruction& call, std::uint32_t number) {
  const Function& f = program_.functions[id];
  const auto operands = f.operands_of(call);
  if (operands.empty() || operands[0].kind() == Operand::Kind::Asm) return;
  const auto arguments = f.arguments_of(call);
  if (operands[0].is_function()) {
    const FunctionId callee = operands[0].as_function();
    if (!program_.functions[callee].has_body()) return leave(id, arguments);
    const std::size_t count = std::min(arguments.size(), program_.functions[callee].parameters.size());
    leave(id, arguments.subspan(count));
    for (std::uint32_t k = 0; k < count; ++k)
      if (const TypeId type = program_.functions[callee].parameters[k];
          program_.types[type].kind == TypeKind::Pointer) {
        flow(slot(SlotKind::Parameter, callee.index(), k), id, arguments[k]);
        collect_reference(id, arguments[k], callee, k);
      }
    return;
  }
  const auto [slots, functions] = sources(id, operands[0]);
  const auto row = static_cast<std::uint32_t>(indirect_.size());
  const bool has_source = !slots.empty() || !functions.empty();
  const auto table = has_source ? VirtualTables::Targets{} : tables_.targets(id, call);
  indirect_.push_back({id, number, {}, has_source || table.is_virtual});
  if (!indirect_.back().is_known) leave(id, arguments);
  for (const FunctionId target : functions) connect(row, target);
  for (const FunctionId target : table.functions) connect(row, target);
  for (const SlotId from : slots) {
    calls_[from].push_back(row);
    const std::vector<FunctionId> known = functions_[from];
    for (const FunctionId target : known) connect(row, target);
  }
}

/// A call with another number of arguments is undefined: it does not mean this function.
void FunctionFlow::connect(std::uint32_t row, FunctionId target) {
  const FunctionId caller = indirect_[row].caller;
  const Function& f = program_.functions[caller];
  const Instruction& call = f.instructions[indirect_[row].instruction];
  const auto arguments = f.arguments_of(call);
  const Function& callee = program_.functions[target];
  if (arguments.size() != callee.parameters.size() &&
      !(callee.is_vararg && arguments.size() > callee.parameters.size()))
    return;
  std::vector<FunctionId>& known = indirect_[row].targets;
  const auto at = std::ranges::lower_bound(known, target);
  if (at != known.end() && *at == target) return;
  known.insert(at, target);
  if (!callee.has_body()) return;
  for (std::uint32_t k = 0; k < callee.parameters.size(); ++k)
    if (program_.types[callee.parameters[k]].kind == TypeKind::Pointer) {
      const SlotId to = slot(SlotKind::Parameter, target.index(), k);
      collect_reference(caller, arguments[k], target, k);
      const auto [slots, functions] = sources(caller, arguments[k]);
      for (const FunctionId function : functions) add(to, function);
      for (const SlotId from : slots)
        if (join(from, to)) add_all(to, functions_[from]);
    }
}

void FunctionFlow::propagate() {
  while (!pending_.empty()) {
    const SlotId from = pending_.front();
    pending_.pop_front();
    const std::vector<FunctionId> moving = std::exchange(fresh_[from], {});
    for (const SlotId to : successors_[from]) add_all(to, moving);
    // Connecting a call may make slots, but puts no calls through known ones.
    for (std::size_t i = 0; i < calls_[from].size(); ++i)
      for (const FunctionId function : moving) connect(calls_[from][i], function);
  }
}

bool FunctionFlow::has_left(FunctionId function) const {
  return std::ranges::binary_search(functions_[outside], function);
}

FunctionFlow::Targets FunctionFlow::targets(FunctionId caller, std::size_t call) const {
  const auto at = std::ranges::lower_bound(indirect_, std::pair(caller, static_cast<std::uint32_t>(call)), {},
                                           [](const IndirectCall& c) { return std::pair(c.caller, c.instruction); });
  if (at == indirect_.end() || at->caller != caller || at->instruction != call) return {};
  return {at->is_known, at->targets};
}

}  // namespace heddle::scan
