// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/reach/circumstances.h"

#include <algorithm>

namespace heddle::scan {
namespace {

GlobalId global_of(const FunctionSummary& summary, NodeId id) {
  const Node* node = &summary.nodes[id.index()];
  while (node->kind == NodeKind::Element) node = &summary.nodes[node->parent.index()];
  return node->kind == NodeKind::Global ? GlobalId(node->index) : GlobalId{};
}

}  // namespace

std::uint32_t CircumstanceTable::of(FunctionId holder, std::uint32_t number, Phase phase, std::int32_t offset) {
  Known& known = known_[static_cast<std::size_t>(phase)];
  if (known.holder == holder && known.group == number && (known.offset == offset || !known.has_near_lock))
    return known.number;
  const FunctionSummary& summary = summaries_[holder.index()];
  const AccessGroup& group = summary.groups[number];
  const bool is_near = has_near_lock(summary, group);
  const State& state = state_at(holder, group, phase, is_near ? offset : 0);
  NamedHistory history;
  if (histories_ == Histories::Asked)
    history = history_at(in_, names_, {summary, group.lockset, group.history},
                         reach_.visits[holder.index()][static_cast<std::size_t>(phase)], {group.node, offset});
  known = {holder, number, offset, is_near, intern(state, global_of(summary, group.node), std::move(history))};
  return known.number;
}

/// The groups of a function have few locksets between them, and what is held without one of its own is the same for all
/// memory.
const CircumstanceTable::State& CircumstanceTable::state_at(FunctionId holder, const AccessGroup& group, Phase phase,
                                                            std::int32_t offset) {
  if (holder != states_of_) states_.clear();
  states_of_ = holder;
  const FunctionSummary& summary = summaries_[holder.index()];
  const NodeId data = summary.locksets[group.lockset].acquired.empty() ? NodeId{} : group.node;
  const auto [at, is_new] = states_.try_emplace({phase, group.lockset, group.threads, data, data ? offset : 0});
  if (!is_new) return at->second;
  const Visit& visit = reach_.visits[holder.index()][static_cast<std::size_t>(phase)];
  const auto locks = lock_sets_.try_emplace({locks_of(summary, group, visit, offset), kinds_of(summary, group, visit)},
                                            static_cast<std::uint32_t>(lock_sets_.size()));
  at->second = {&*locks.first,
                {is_thread(phase) ? Phase::Thread : Phase::Main, visit.roots,
                 reach_.live_at(summary, visit, group.threads, names_)}};
  return at->second;
}

bool CircumstanceTable::has_near_lock(const FunctionSummary& summary, const AccessGroup& group) const {
  const auto is_near = [&](const auto& row) { return is_below(summary.nodes, row.lock.node, group.node); };
  if (std::ranges::any_of(summary.locksets[group.lockset].acquired, is_near)) return true;
  if (histories_ == Histories::NotAsked) return false;
  const LockHistory& history = summary.histories[group.history];
  return std::ranges::any_of(history.since_entry, is_near) ||
         std::ranges::any_of(history.rows,
                             [&](const HistoryRow& row) { return std::ranges::any_of(row.since, is_near); });
}

std::uint64_t CircumstanceTable::of_all(FunctionId holder, std::uint32_t group, std::span<const Phase> phases) {
  std::uint64_t out = 1;
  for (const Phase phase : phases) {
    out = mixed(out, of(holder, group, phase, 0));
    if (known_[static_cast<std::size_t>(phase)].has_near_lock) return 0;
  }
  return out;
}

std::vector<NamedLock> CircumstanceTable::locks_of(const FunctionSummary& summary, const AccessGroup& group,
                                                   const Visit& visit, std::int32_t offset) {
  std::vector<NamedLock> out = names_.held_at(summary, group, offset);
  const auto& released = summary.locksets[group.lockset].released;
  std::vector<NamedLock> left = visit.locks;
  if (!released.empty()) names_.give_back(in_, summary, released, left);
  const auto add = [&](const NamedLock& held) {
    const auto at = std::ranges::lower_bound(out, held.name, {}, &NamedLock::name);
    if (at == out.end() || at->name != held.name) out.insert(at, held);
  };
  for (const NamedLock& held : left)
    if (!names_.is_kind(held.name)) add(held);
  for (const HeldLock& held : summary.locksets[group.lockset].acquired)
    if (const std::uint32_t name = names_.bound(summary, held.lock, visit.passed); name != LockNames::none)
      add({name, held.mode});
  return out;
}

std::vector<std::uint32_t> CircumstanceTable::kinds_of(const FunctionSummary& summary, const AccessGroup& group,
                                                       const Visit& visit) {
  const RelativeLockset& relative = summary.locksets[group.lockset];
  std::vector<std::uint32_t> out;
  for (const NamedLock& held : visit.locks)
    if (names_.is_kind(held.name)) out.push_back(held.name);
  for (const ReleasedLock& gone : relative.released) std::erase(out, names_.kind_of(in_.program, summary, gone.lock));
  for (const HeldLock& held : relative.acquired)
    if (const std::uint32_t kind = names_.kind_of(in_.program, summary, held.lock); kind != LockNames::none)
      out.push_back(kind);
  std::ranges::sort(out);
  const auto rest = std::ranges::unique(out);
  out.erase(rest.begin(), rest.end());
  return out;
}

std::uint32_t CircumstanceTable::intern(const State& state, GlobalId global, NamedHistory&& history) {
  const auto& [locks, number] = *state.locks;
  const auto history_id =
      history_ids_.try_emplace(history, static_cast<std::uint32_t>(history_ids_.size())).first->second;
  const auto [at, is_new] =
      ids_.try_emplace({number, history_id, global.index(), state.side}, static_cast<std::uint32_t>(all_.size()));
  if (is_new) all_.push_back({locks.first, locks.second, state.side, global, number, std::move(history)});
  return at->second;
}

}  // namespace heddle::scan
