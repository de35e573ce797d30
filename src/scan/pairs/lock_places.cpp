// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/pairs/lock_places.h"

namespace heddle::scan {

std::vector<Summariser::Acquisition> Summariser::acquisitions(FunctionId function) {
  start(function);
  note_writes_to_locals();
  execute();
  std::vector<Acquisition> out;
  for (const Event& event : events_) {
    if (event.kind == Event::Kind::Acquire) out.push_back({event.instruction, event.where});
    if (event.kind != Event::Kind::Call) continue;
    const BoundCall& call = calls_[event.number];
    if (call.names.empty()) continue;
    const FunctionSummary& callee = *call.summary;
    for (const std::uint32_t exit : {callee.exit, callee.exit_zero, callee.exit_other})
      for (const HeldLock& held : callee.locksets[exit].acquired)
        if (const Lvalue at = call.name(held.lock); at.valid()) out.push_back({event.instruction, at});
  }
  return out;
}

const std::vector<LockPlaces::Row>& LockPlaces::rows_of(FunctionId function) {
  const auto [at, is_new] = rows_.try_emplace(function);
  if (!is_new) return at->second;
  const std::vector<Summariser::Acquisition> taken = summariser_.acquisitions(function);
  std::vector<Node> nodes;
  for (std::uint32_t i = 0; i < summariser_.nodes().size(); ++i) nodes.push_back(summariser_.nodes()[NodeId(i)]);
  for (const auto& [instruction, lock] : taken)
    at->second.push_back(
        {instruction, {text_.print(nodes, function, lock), nodes[lock.node.index()].type, lock.offset}});
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
