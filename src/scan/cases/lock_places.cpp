// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/cases/lock_places.h"

namespace heddle::scan {

const std::vector<LockPlaces::Row>& LockPlaces::rows_of(FunctionId function) {
  const auto [at, is_new] = rows_.try_emplace(function);
  if (!is_new) return at->second;
  const Acquisitions taken = summariser_.acquisitions(function);
  for (const auto& [instruction, lock] : taken.all)
    at->second.push_back(
        {instruction, {text_.print(taken.nodes, function, lock), taken.nodes[lock.node.index()].type, lock.offset}});
  return at->second;
}

std::optional<std::uint32_t> LockPlaces::find(FunctionId function, std::uint32_t before, const Wanted& lock) {
  std::optional<std::uint32_t> by_name, by_kind;
  for (const auto& [instruction, taken] : rows_of(function)) {
    if (instruction >= before) continue;
    if (taken.name == lock.name && instruction >= by_name.value_or(0)) by_name = instruction;
    if (lock.type && taken.type == lock.type && taken.offset == lock.offset && instruction >= by_kind.value_or(0))
      by_kind = instruction;
  }
  return by_name ? by_name : by_kind;
}

}  // namespace heddle::scan
