// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/access/known_values.h"

#include "program/model/first_bits.h"
#include "program/model/function_queries.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_numbers = 64;

}  // namespace

std::optional<std::int64_t> first_value(const Program& program, const FixedCell& cell) {
  const auto bits = first_bits(program, program.globals[cell.place.global], cell.place.offset, cell.size);
  return bits ? std::optional(with_sign(*bits, 8 * std::uint64_t{cell.size})) : std::nullopt;
}

bool may_touch(const Access& access, const FixedCell& cell) {
  if (access.variable != cell.place.global) return false;
  if (access.size == 0) return true;
  const auto size = static_cast<std::int64_t>(cell.size);
  return access.offset < cell.place.offset + size && cell.place.offset < end_of(access);
}

std::optional<std::int64_t> KnownValues::stored(const Access& access, const FixedCell& cell) {
  const Function& function = program_.functions[access.function];
  const Instruction& code = function.instructions[access.instruction];
  const bool is_exact = is_fixed(access) && access.offset == cell.place.offset && access.size == cell.size;
  if (!is_exact || code.opcode != Opcode::Store) return std::nullopt;
  return numbers_.of(access.function, function.operands_of(code)[0]);
}

Numbered KnownValues::compute(const FixedCell& cell) {
  const auto first = accesses_.is_known_outside(cell.place.global) ? std::nullopt : first_value(program_, cell);
  if (!first) return std::nullopt;
  std::set<std::int64_t> numbers{*first};
  const auto all = accesses_.all().find(cell.place.global);
  if (all == accesses_.all().end()) return numbers;
  for (const Access& access : all->second) {
    if (!access.writes || !may_touch(access, cell)) continue;
    const auto number = stored(access, cell);
    if (!number || numbers.size() >= most_numbers) return std::nullopt;
    numbers.insert(*number);
  }
  return numbers;
}

const Numbered& KnownValues::of(const FixedCell& cell) {
  const auto known = known_.find(cell);
  return known != known_.end() ? known->second : known_.emplace(cell, compute(cell)).first->second;
}

}  // namespace heddle::depend
