// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/names.h"

#include "program/model/first_bits.h"

namespace heddle::judge::transaction {

VariableIndex Names::cell(const Memory& memory, std::uint64_t bytes, unsigned bits, Interval range) {
  return number_of({.global = *memory.global, .offset = memory.offset, .bytes = bytes, .bits = bits, .range = range});
}

VariableIndex Names::address(GlobalId global) { return number_of({.global = global}); }

VariableIndex Names::argument(ThreadIndex thread) { return number_of({.thread = thread}); }

VariableIndex Names::number_of(const Cell& cell) {
  const auto [it, is_new] = cell_numbers_.try_emplace(cell, static_cast<VariableIndex>(cells_.size()));
  if (is_new) cells_.push_back(cell);
  return it->second;
}

void Names::other_access(const Memory& memory, std::uint64_t bytes) {
  if (memory.global) others_.insert({.global = *memory.global, .offset = memory.offset, .bytes = bytes});
}

std::set<VariableIndex> Names::broken() const {
  std::set<VariableIndex> out;
  const auto overlap = [](const Cell& a, const Cell& b) {
    return a.bytes != 0 && b.bytes != 0 && a.global == b.global &&
           a.offset < b.offset + static_cast<std::int64_t>(b.bytes) &&
           b.offset < a.offset + static_cast<std::int64_t>(a.bytes);
  };
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (cells_[i].bytes == 0) continue;
    bool is_whole = is_inside(cells_[i]);
    for (std::size_t j = 0; j < cells_.size(); ++j) is_whole = is_whole && (i == j || !overlap(cells_[i], cells_[j]));
    for (const Cell& other : others_) is_whole = is_whole && !overlap(cells_[i], other);
    if (!is_whole) out.insert(static_cast<VariableIndex>(i));
  }
  return out;
}

bool Names::is_inside(const Cell& cell) const {
  return cell.offset >= 0 && cell.bytes <= 8 &&
         static_cast<std::uint64_t>(cell.offset) + cell.bytes <= program_.globals[cell.global].size;
}

/// What stands in the initial image. None: that is not known, for an address does.
std::optional<std::int64_t> Names::initial(const Cell& cell) const {
  if (cell.bytes == 0) return std::nullopt;
  const auto bits = first_bits(program_, program_.globals[cell.global], cell.offset, cell.bytes);
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
  return (cell.bytes == 0 ? "&" : "") + text(Memory{.global = cell.global, .offset = cell.offset});
}

std::string Names::text(const Memory& memory) const {
  std::string out = memory.global ? std::string(program_.globals[*memory.global].name)
                                  : "local " + std::to_string(memory.frame) + "." + std::to_string(memory.alloca);
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

std::optional<ThreadIndex> Names::thread_of(const Memory& memory) const {
  const auto found = handles_.find(memory);
  Memory whole = memory;
  whole.offset = 0;
  if (found == handles_.end() || found->second.size() != 1 || no_handles_.contains(whole)) return std::nullopt;
  return *found->second.begin();
}

}  // namespace heddle::judge::transaction
