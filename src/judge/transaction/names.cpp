// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/names.h"

#include <algorithm>
#include <utility>

#include "api/action.h"
#include "program/model/first_bits.h"

namespace heddle::judge::transaction {

std::optional<VariableIndex> Names::cell(const Memory& memory, std::uint64_t bytes, unsigned bits, Interval range) {
  const Cell cell{.object = memory.object, .offset = memory.offset, .bytes = bytes, .bits = bits, .range = range};
  const std::uint64_t size = memory_.size(memory.object);
  const bool is_inside =
      memory.offset >= 0 && bytes <= 8 && (size == 0 || static_cast<std::uint64_t>(memory.offset) + bytes <= size);
  if (!is_inside || (is_closed_ && !cell_numbers_.contains(cell))) return std::nullopt;
  return number_of(cell);
}

VariableIndex Names::address(ObjectIndex object) { return number_of({.object = object}); }

VariableIndex Names::argument(ThreadIndex thread) { return number_of({.thread = thread}); }

VariableIndex Names::number_of(const Cell& cell) {
  const auto [it, is_new] = cell_numbers_.try_emplace(cell, static_cast<VariableIndex>(cells_.size()));
  if (is_new) cells_.push_back(cell);
  return it->second;
}

std::vector<VariableIndex> Names::cells_in(const Region& region) const {
  std::vector<VariableIndex> out;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].bytes != 0 && region.has_byte_of(cells_[i].object, cells_[i].offset, cells_[i].bytes))
      out.push_back(static_cast<VariableIndex>(i));
  return out;
}

void Names::keep(const std::set<VariableIndex>& wanted) {
  const std::vector<Cell> before = std::exchange(cells_, {});
  cell_numbers_.clear();
  for (const VariableIndex variable : wanted)
    if (before[variable].bytes != 0) (void)number_of(before[variable]);
  is_closed_ = true;
  lock_names_.clear();
  lock_numbers_.clear();
  handles_.clear();
  no_handles_.clear();
}

bool Names::is_made_zero(const alias::PointedObject& object) const {
  const Function& f = program_.functions[object.function];
  const Operand callee = f.operands_of(f.instructions[object.instruction])[0];
  const api::Model* model =
      callee.is_function() ? models_.find(program_.functions[callee.as_function()].name) : nullptr;
  return model != nullptr && std::ranges::any_of(model->effects, [](const api::Effect& effect) {
           const auto make = api::get<api::MakeMemory>(effect);
           return make && make->zeroed;
         });
}

/// What stands there at first. None: that is not known, or it is an address.
std::optional<std::int64_t> Names::initial(const Cell& cell) const {
  if (cell.bytes == 0) return std::nullopt;
  const alias::PointedObject& object = memory_.object(cell.object);
  if (object.kind == alias::PointedObject::Kind::Made && is_made_zero(object)) return 0;
  if (object.kind != alias::PointedObject::Kind::Global) return std::nullopt;
  const auto bits = first_bits(program_, program_.globals[object.global], cell.offset, cell.bytes);
  if (!bits) return std::nullopt;
  const std::int64_t number = numeric::sign_extend(*bits, cell.bits);
  return cell.range.contains(number) ? number : static_cast<std::int64_t>(*bits);
}

std::vector<SharedVariable> Names::shared() const {
  std::vector<SharedVariable> out;
  for (const Cell& cell : cells_) out.push_back({text(cell), initial(cell), cell.range});
  return out;
}

std::string Names::text(const Cell& cell) const {
  if (cell.thread) return "the argument of thread " + std::to_string(*cell.thread);
  return (cell.bytes == 0 ? "&" : "") + text(Memory{.object = cell.object, .offset = cell.offset});
}

std::string Names::text(const Memory& memory) const {
  std::string out = memory_.name(memory.object);
  if (memory.offset != 0) out += "+" + std::to_string(memory.offset);
  return out;
}

LockIndex Names::lock(const Memory& memory) { return lock_of({memory, ""}, text(memory)); }

LockIndex Names::lock(const std::string& name) { return lock_of({std::nullopt, name}, name); }

/// Two variables may have one name, in two units.
LockIndex Names::lock_of(const std::pair<std::optional<Memory>, std::string>& lock, const std::string& name) {
  const auto [it, is_new] = lock_numbers_.try_emplace(lock, static_cast<LockIndex>(lock_names_.size()));
  if (is_new) lock_names_.push_back(name);
  return it->second;
}

std::set<LockIndex> Names::lost_locks() const {
  std::set<LockIndex> out;
  for (const auto& [lock, number] : lock_numbers_) {
    if (!lock.first) continue;
    const Memory& memory = *lock.first;
    if (are_locks_lost_ || lost_locks_.contains({memory.object, memory.offset}) ||
        lost_locks_.contains({memory.object, alias::anywhere}))
      out.insert(number);
  }
  return out;
}

std::optional<ThreadIndex> Names::thread_of(const Memory& memory) const {
  const auto found = handles_.find(memory);
  if (found == handles_.end() || found->second.size() != 1) return std::nullopt;
  const std::uint64_t word = program_.layout.pointer_bits / 8;
  for (const Region& other : no_handles_)
    if (other.has_byte_of(memory.object, memory.offset, word)) return std::nullopt;
  return *found->second.begin();
}

}  // namespace heddle::judge::transaction
