// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/locks/settled_pointers.h"

#include <algorithm>

#include "alias/locks/memory_writes.h"
#include "api/action.h"

namespace heddle::alias {

SettledPointers::SettledPointers(const Program& program, const api::ApiModels& models, const AliasFacts& aliases)
    : program_(program), models_(models), aliases_(aliases), addresses_(program) {
  read_initialisers();
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) read_function(FunctionId(f));
}

std::optional<GlobalPlace> SettledPointers::at(Place place) const {
  if (!place.valid() || is_nothing_settled_) return std::nullopt;
  place = aliases_.canonical(place);
  const auto cells = cells_.find(place.object.index());
  if (cells == cells_.end() || unsettled_.contains(place.object.index())) return std::nullopt;
  std::optional<GlobalPlace> out;
  for (const auto& [where, value] : cells->second) {
    Place there = place;
    there.offset = where.first;
    if (!aliases_.may_overlap(there, where.second, place, word())) continue;
    // Only a store to the very same bytes leaves the very same pointer.
    if (!value || where.first != place.offset || (out && *out != *value)) return std::nullopt;
    out = value;
  }
  return out;
}

void SettledPointers::add(Place place, std::uint64_t bytes, const std::optional<GlobalPlace>& value) {
  if (!place.valid()) return;
  place = aliases_.canonical(place);
  const auto [at, is_new] = cells_[place.object.index()].try_emplace({place.offset, bytes}, value);
  if (!is_new && at->second != value) at->second = std::nullopt;
}

void SettledPointers::unsettle(Place place) {
  if (place.valid()) unsettled_.insert(aliases_.canonical(place).object.index());
}

void SettledPointers::unsettle_all(FunctionId id, std::span<const Operand> operands) {
  for (const Operand& operand : operands) {
    const Place place = aliases_.place(id, operand);
    unsettle(place);
    if (place.valid()) unsettle(aliases_.content(place));
  }
}

/// Words that hold an address, and words that hold a number.
void SettledPointers::read_initialisers() {
  for (std::uint32_t g = 0; g < program_.globals.size(); ++g) {
    const Global& global = program_.globals[GlobalId(g)];
    const Place begin = aliases_.place({}, Operand::global(GlobalId(g)));
    if (!begin.valid()) continue;
    if (global.is_declaration()) unsettle(begin);
    const auto behind = [&](std::uint64_t bytes) {
      Place out = begin;
      out.offset += static_cast<std::int32_t>(bytes);
      return out;
    };
    std::set<std::uint64_t> addresses;
    for (const Relocation& address : global.relocations) addresses.insert(address.offset);
    for (std::uint64_t at = 0; at < global.bytes.size(); at += word()) {
      const auto bytes = global.bytes.subspan(at, std::min<std::uint64_t>(word(), global.bytes.size() - at));
      if (std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; }) && !addresses.contains(at))
        add(behind(at), word(), std::nullopt);
    }
    for (const Relocation& address : global.relocations) {
      std::optional<GlobalPlace> value;
      if (address.target.is_global() && address.size == word())
        value = GlobalPlace{address.target.as_global(), address.addend};
      add(behind(address.offset), address.size, value);
    }
  }
}

void SettledPointers::read_function(FunctionId id) {
  const Function& function = program_.functions[id];
  for (const ByValue& copy : function.byval) unsettle(aliases_.place(id, Operand::value(ValueId(copy.index))));
  for (std::size_t i = 0; i < function.instructions.size(); ++i)
    if (function.instructions[i].is_call())
      read_call(id, i);
    else
      read_instruction(id, function.instructions[i]);
}

void SettledPointers::read_instruction(FunctionId id, const Instruction& code) {
  const auto operands = program_.functions[id].operands_of(code);
  switch (code.opcode) {
    case Opcode::Store: return store(id, code, operands[1], operands[0]);
    case Opcode::CmpXchg: return store(id, code, operands[0], operands[2]);
    case Opcode::AtomicRmw: return store(id, code, operands[0], {});
    case Opcode::MemSet:
      if (!is_null(operands[1])) unsettle(aliases_.place(id, operands[0]));
      return;
    case Opcode::MemCopy:
    case Opcode::VaArg: return unsettle(aliases_.place(id, operands[0]));
    case Opcode::Unsupported: is_nothing_settled_ = true; return;
    default: return;
  }
}

void SettledPointers::store(FunctionId id, const Instruction& code, Operand address, Operand value) {
  const std::uint64_t bytes = code.access_type ? program_.types[code.access_type].size_bytes() : 0;
  if (bytes == word() && is_null(value)) return;
  std::optional<GlobalPlace> stored;
  if (bytes == word() && value != Operand{}) stored = addresses_.place(id, value);
  add(aliases_.place(id, address), bytes, stored);
}

bool SettledPointers::is_null(Operand operand) const {
  if (!operand.is_constant()) return false;
  const Constant& constant = program_.constants[operand.as_constant()];
  if (constant.kind == Constant::Kind::Int) return constant.bits == 0 && constant.wide.empty();
  return constant.kind == Constant::Kind::Null || constant.kind == Constant::Kind::Zero;
}

/// What functions without a body may write.
void SettledPointers::read_call(FunctionId id, std::size_t call) {
  const Function& function = program_.functions[id];
  const Instruction& code = function.instructions[call];
  const auto arguments = function.arguments_of(code);
  const std::vector<FunctionId> targets = targets_of(program_, aliases_, id, call);
  if (targets.empty()) unsettle_all(id, arguments);  // assembly, or nobody knows whom it reaches
  for (const FunctionId target : targets) {
    const Function& callee = program_.functions[target];
    // What an allocator put there it put into an object of its own.
    if (const Allocator& allocator = aliases_.allocator(target); allocator.fills || allocator.moved != api::Effect::none)
      unsettle(aliases_.place(id, Operand::value(function.result_of(call))));
    if (callee.has_body()) continue;
    const api::Model* model = models_.find(callee.name);
    if (model == nullptr && !callee.is_intrinsic) unsettle_all(id, arguments);
    if (model == nullptr) continue;
    for (const api::Effect& effect : model->effects) read_effect(id, code, effect);
  }
}

void SettledPointers::read_effect(FunctionId id, const Instruction& call, const api::Effect& effect) {
  const Function& function = program_.functions[id];
  const auto arguments = function.arguments_of(call);
  const auto write = [&](api::Argument argument) {
    if (argument >= 0 && static_cast<std::size_t>(argument) < arguments.size())
      unsettle(aliases_.place(id, arguments[static_cast<std::size_t>(argument)]));
  };
  const api::Action action = api::action_of(effect);
  if (const auto* touch = std::get_if<api::Touch>(&action)) {
    if (touch->mode != api::Touch::Mode::Write) return;
    if (touch->extent == api::Touch::Extent::Object) return write(touch->object);
    if (touch->extent != api::Touch::Extent::Hidden) unsettle_all(id, arguments);
  } else if (const auto* atomic = std::get_if<api::TouchAtomic>(&action)) {
    for (const api::Argument argument : {atomic->object, atomic->value, atomic->expected}) write(argument);
  } else if (const auto* move = std::get_if<api::MovePointers>(&action)) {
    write(move->to);
  } else if (const auto* start = std::get_if<api::StartThread>(&action)) {
    write(start->handle);
  } else if (const auto* own = std::get_if<api::UseThreadValue>(&action)) {
    if (own->step == api::UseThreadValue::Step::Create) write(own->key);
  } else if (const auto* memory = std::get_if<api::MakeMemory>(&action)) {
    write(memory->into);
    const auto result = static_cast<std::size_t>(&call - function.instructions.data());
    if (memory->old >= 0) unsettle(aliases_.place(id, Operand::value(function.result_of(result))));
  } else if (std::holds_alternative<api::DoUnsupported>(action)) {
    unsettle_all(id, arguments);
  }
}

}  // namespace heddle::alias
