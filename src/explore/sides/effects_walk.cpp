// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/effects_walk.h"

#include <algorithm>

#include "explore/sides/access_key.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_accesses = 2'000;

}  // namespace

Effects CodeEffects::Walk::run(BlockId from, BlockId until) {
  until_ = until;
  states_.assign(function_.blocks.size(), {});
  flow_into(from, LockUpdate{});
  while (!work_.empty() && !effects_.may_do_anything()) {
    const BlockId block = work_.back();
    work_.pop_back();
    look_at(block);
  }
  collects_ = true;
  effects_.end.reset();
  for (std::size_t b = 0; b < states_.size() && !effects_.may_do_anything(); ++b)
    if (states_[b]) look_at(BlockId(b));
  if (effects_.accesses.size() > most_accesses) anything("very many accesses");
  return std::move(effects_);
}

void CodeEffects::Walk::flow_into(BlockId block, const State& state) {
  if (!state) return;
  if (block == until_) {
    if (effects_.end)
      meet(*effects_.end, *state);
    else
      effects_.end = state;
    return;
  }
  if (collects_) return;
  State& known = states_[block.index()];
  if (known ? !meet(*known, *state) : (known = state, false)) return;
  if (std::ranges::find(work_, block) == work_.end()) work_.push_back(block);
}

void CodeEffects::Walk::look_at(BlockId block) {
  State state = states_[block.index()];
  const Block& code = function_.blocks[block.index()];
  for (std::uint32_t i = code.first; i < code.first + code.count && state; ++i) look_at(i, state);
  for (const BlockId next : flow_.cfg.successors[block.index()]) flow_into(next, state);
}

void CodeEffects::Walk::look_at(std::size_t number, State& state) {
  const Instruction& code = function_.instructions[number];
  const auto operands = function_.operands_of(code);
  switch (code.opcode) {
    case Opcode::Load: return access(state, number, operands[0], code.access_type, false, code.is_atomic());
    case Opcode::Store: return access(state, number, operands[1], code.access_type, true, code.is_atomic());
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw: return access(state, number, operands[0], code.access_type, true, true);
    case Opcode::MemCopy: access(state, number, operands[1], {}, false, false); [[fallthrough]];
    case Opcode::MemSet: return access(state, number, operands[0], {}, true, false);
    case Opcode::VaArg: return access(state, number, operands[0], {}, true, false);
    case Opcode::Call:
    case Opcode::Invoke: return call(code, number, state);
    case Opcode::Return: return leave(state);
    case Opcode::IndirectBranch:
    case Opcode::Unsupported: return anything("an instruction that nobody knows");
    default: return;
  }
}

/// Local variables that others know end here, which is a write to them.
void CodeEffects::Walk::leave(State& state) {
  for (std::size_t i = 0; i < function_.instructions.size(); ++i)
    if (function_.instructions[i].opcode == Opcode::Alloca && !is_own(Operand::value(function_.result_of(i))))
      access(state, i, Operand::value(function_.result_of(i)), {}, true, false, true);
  if (!until_.valid()) {
    if (effects_.end)
      meet(*effects_.end, *state);
    else
      effects_.end = state;
  }
  state.reset();
}

void CodeEffects::Walk::access(const State& state, std::size_t number, Operand address, TypeId type, bool writes,
                               bool is_atomic, bool is_end) {
  if (!collects_ || is_own(address)) return;
  if (const GlobalId global = all_.places_.global(id_, address);
      global.valid() && all_.program_.globals[global].is_constant)
    return;
  SideAccess found;
  const std::uint64_t size = type.valid() ? all_.program_.types[type].size_bytes() : 0;
  found.variable = all_.variable_of(id_, address, size);
  found.behind_argument = all_.behind_argument(id_, address, size);
  found.is_write = writes;
  found.is_atomic = is_atomic;
  found.is_end = is_end;
  found.is_visible = is_atomic || all_.everything_is_visible_;
  found.key = key_of(id_, static_cast<std::uint32_t>(number));
  add(state, std::move(found));
}

void CodeEffects::Walk::add(const State& state, SideAccess access) {
  if (!collects_ || !state) return;
  LockUpdate before = *state;
  append(before, access.before);
  access.before = std::move(before);
  effects_.accesses.push_back(std::move(access));
  if (effects_.accesses.size() > most_accesses) anything("very many accesses");
}

void CodeEffects::Walk::call(const Instruction& code, std::size_t number, State& state) {
  const Operand callee = function_.operands_of(code)[0];
  for (const ByValue& copy : function_.calls[code.extra].byval)
    if (copy.bytes != 0) access(state, number, function_.arguments_of(code)[copy.index], {}, false, false);
  if (!callee.is_function()) {
    const auto targets = all_.targets(id_, number);
    if (targets.empty() && !all_.is_always_null(id_, callee)) anything("a call through a pointer");
    State after;
    for (const FunctionId target : targets) {
      State way = state;
      if (all_.program_.functions[target].has_body())
        call_function(target, way);
      else
        anything("a call through a pointer of " + std::string(all_.program_.functions[target].name));
      if (way && after)
        meet(*after, *way);
      else if (way)
        after = std::move(way);
    }
    state = std::move(after);
    return;
  }
  if (all_.program_.functions[callee.as_function()].has_body()) return call_function(callee.as_function(), state);
  call_library(callee.as_function(), code, number, state);
}

void CodeEffects::Walk::call_library(FunctionId callee, const Instruction& code, std::size_t number, State& state) {
  switch (all_.known(callee)) {
    case Known::Nothing: return anything(std::string(all_.program_.functions[callee].name));
    case Known::Accesses: use_system(state); break;
    case Known::Everything: break;
  }
  LibraryCall(*this, code, number, state).apply(*all_.model_of(callee));
}

void CodeEffects::Walk::use_system(const State& state) {
  SideAccess found;
  found.variable.bytes = system_objects;
  found.is_write = found.is_object = found.is_atomic = found.is_visible = true;
  add(state, std::move(found));
}

void CodeEffects::Walk::call_function(FunctionId callee, State& state) {
  const Effects effects = all_.of_function(callee);
  const bool is_section = all_.models_.is_atomic_function(all_.program_.functions[callee].name);
  if (effects.may_do_anything()) anything(effects.unknown);
  if (is_section && std::ranges::any_of(effects.accesses, &SideAccess::is_object))
    anything("a section that may have to wait");
  for (const SideAccess& access : effects.accesses) add(state, access);
  if (effects.end && state)
    append(*state, *effects.end);
  else
    state.reset();
}

}  // namespace heddle::explore
