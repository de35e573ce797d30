// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias/locks/memory_writes.h"

#include <algorithm>
#include <variant>

#include "api/action.h"
#include "program/model/accessed_bytes.h"

namespace heddle::alias {
namespace {

/// The operand with the address that an instruction writes to; none if it writes no memory.
Operand written_address(const Function& function, const Instruction& code) {
  const auto operands = function.operands_of(code);
  switch (code.opcode) {
    case Opcode::Store: return operands[1];
    case Opcode::MemCopy:
    case Opcode::MemSet:
    case Opcode::CmpXchg:
    case Opcode::AtomicRmw:
    case Opcode::VaArg: return operands[0];
    default: return {};
  }
}

/// 0: nobody knows.
std::uint64_t written_bytes(const Program& program, const Instruction& code) {
  const bool is_sized =
      code.opcode == Opcode::Store || code.opcode == Opcode::CmpXchg || code.opcode == Opcode::AtomicRmw;
  return is_sized && code.access_type ? accessed_bytes(program.types[code.access_type]) : 0;
}

enum class LibraryWrites : std::uint8_t { Nothing, Arguments, Anything };

/// What the thread that calls does itself; other threads are not asked for.
LibraryWrites writes_of(const api::Effect& effect) {
  using namespace api;
  const Action action = action_of(effect);
  if (std::holds_alternative<CallBack>(action) || std::holds_alternative<RunOnce>(action) ||
      std::holds_alternative<DoUnsupported>(action) || std::holds_alternative<End>(action))
    return LibraryWrites::Anything;
  const bool is_harmless = std::holds_alternative<TakeLock>(action) || std::holds_alternative<GiveLock>(action) ||
                           std::holds_alternative<UseCondition>(action) || std::holds_alternative<Assume>(action) ||
                           std::holds_alternative<WaitAtBarrier>(action) ||
                           std::holds_alternative<MakeMemory>(action) || std::holds_alternative<MaskEntries>(action) ||
                           std::holds_alternative<ReturnValue>(action);
  return is_harmless ? LibraryWrites::Nothing : LibraryWrites::Arguments;
}

}  // namespace

std::vector<FunctionId> targets_of(const Program& program, const AliasFacts& aliases, FunctionId caller,
                                   std::size_t call) {
  const Function& function = program.functions[caller];
  const Operand callee = function.operands_of(function.instructions[call])[0];
  if (callee.is_function()) return {callee.as_function()};
  const auto targets = aliases.targets(caller, call);
  return {targets.begin(), targets.end()};
}

MemoryWrites::MemoryWrites(const Program& program, const api::ApiModels& models, const AliasFacts& aliases)
    : program_(program), models_(models), aliases_(aliases), callers_(program.functions.size()) {
  for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    for (std::size_t i = 0; i < function.instructions.size(); ++i)
      if (function.instructions[i].is_call())
        for (const FunctionId callee : aliases.targets(FunctionId(f), i))
          callers_[callee.index()].push_back(FunctionId(f));
  }
}

Place MemoryWrites::place(FunctionId function, const LockTerm& pointer) const {
  Place at = pointer.is_global() ? aliases_.place({}, Operand::global(GlobalId(pointer.index)))
                                 : aliases_.place(function, Operand::value(ValueId(pointer.index)));
  for (const std::int64_t step : pointer.path) {
    if (!at.valid()) return at;
    at.offset += static_cast<std::int32_t>(step);
    at = aliases_.content(at);
  }
  if (at.valid()) at.offset += static_cast<std::int32_t>(pointer.offset);
  return at;
}

bool MemoryWrites::may_write(FunctionId function, const Instruction& code, const LockTerm& cell) const {
  if (code.opcode == Opcode::Unsupported) return true;
  const Operand address = written_address(program_.functions[function], code);
  if (address == Operand{}) return false;
  const Place there = place(function, cell), written = aliases_.place(function, address);
  if (!there.valid() || !written.valid()) return true;
  return aliases_.may_overlap(written, written_bytes(program_, code), there, program_.layout.pointer_bits / 8);
}

bool MemoryWrites::call_may_write(FunctionId function, std::size_t call, const LockTerm& cell) {
  const Place there = place(function, cell);
  if (!there.valid()) return true;
  const Function& caller = program_.functions[function];
  const Operand callee = caller.operands_of(caller.instructions[call])[0];
  if (callee.kind() == Operand::Kind::Asm) return true;
  const std::vector<FunctionId> targets = targets_of(program_, aliases_, function, call);
  if (targets.empty()) return true;
  const std::uint32_t object = aliases_.canonical(there).object.index();
  Written by_library;
  add_library(function, call, by_library);
  if (by_library.has(object)) return true;
  const std::vector<bool>& known = writers(object);
  return std::ranges::any_of(targets, [&](FunctionId target) { return known[target.index()]; });
}

bool MemoryWrites::Written::has(std::uint32_t object) const {
  return is_anything || std::ranges::find(objects, object) != objects.end();
}

void MemoryWrites::add_object(Place place, Written& out) const {
  if (place.valid()) out.objects.push_back(aliases_.canonical(place).object.index());
}

/// What the targets of a call without a body write.
void MemoryWrites::add_library(FunctionId caller, std::size_t call, Written& out) const {
  const Function& function = program_.functions[caller];
  for (const FunctionId target : targets_of(program_, aliases_, caller, call)) {
    const Function& callee = program_.functions[target];
    if (callee.has_body()) continue;
    const api::Model* model = models_.find(callee.name);
    if (model == nullptr && callee.is_intrinsic) continue;  // those that write memory are instructions
    LibraryWrites writes = model == nullptr ? LibraryWrites::Anything : LibraryWrites::Nothing;
    if (model != nullptr)
      for (const api::Effect& effect : model->effects) writes = std::max(writes, writes_of(effect));
    out.is_anything |= writes == LibraryWrites::Anything;
    if (writes != LibraryWrites::Arguments) continue;
    for (const Operand& argument : function.arguments_of(function.instructions[call])) {
      const Place place = aliases_.place(caller, argument);
      add_object(place, out);
      if (place.valid()) add_object(aliases_.content(place), out);
    }
  }
}

/// What each function writes itself.
void MemoryWrites::index_writes() {
  written_.resize(program_.functions.size());
  for (std::uint32_t f = 0; f < written_.size(); ++f) {
    const Function& function = program_.functions[FunctionId(f)];
    Written& out = written_[f];
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      if (code.is_call()) {
        out.is_anything |= targets_of(program_, aliases_, FunctionId(f), i).empty();
        add_library(FunctionId(f), i, out);
      } else if (const Operand address = written_address(function, code); address != Operand{}) {
        const Place place = aliases_.place(FunctionId(f), address);
        add_object(place, out);
        out.is_anything |= !place.valid();
      }
      out.is_anything |= code.opcode == Opcode::Unsupported;
    }
    std::ranges::sort(out.objects);
    const auto doubles = std::ranges::unique(out.objects);
    out.objects.erase(doubles.begin(), doubles.end());
  }
}

/// By function: whether it, or whom it leads to, may write the object.
const std::vector<bool>& MemoryWrites::writers(std::uint32_t object) {
  if (written_.empty()) index_writes();
  const auto [at, is_new] = writers_.try_emplace(object);
  std::vector<bool>& out = at->second;
  if (!is_new) return out;
  out.resize(program_.functions.size());
  std::vector<FunctionId> open;
  for (std::uint32_t f = 0; f < out.size(); ++f)
    if (written_[f].is_anything || std::ranges::binary_search(written_[f].objects, object)) {
      out[f] = true;
      open.push_back(FunctionId(f));
    }
  while (!open.empty()) {
    const FunctionId callee = open.back();
    open.pop_back();
    for (const FunctionId caller : callers_[callee.index()]) {
      if (out[caller.index()]) continue;
      out[caller.index()] = true;
      open.push_back(caller);
    }
  }
  return out;
}

}  // namespace heddle::alias
