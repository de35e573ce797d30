// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Third walk: every access with the locks it happens under, those of callees re-expressed (RELAY §3.3); then the summary.
#include <algorithm>

#include "base/content_hash.h"
#include "scan/summarise.h"

namespace heddle::scan {
namespace {

/// Whether callers can have a name for memory with such a root from before the call.
bool is_known_outside(NodeKind root) {
  return root == NodeKind::Formal || root == NodeKind::Global || root == NodeKind::Hidden;
}

}  // namespace

void Summariser::collect() {
  next_spawn_ = 0;
  for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) collect_block(rank, in_states_[rank]);
  std::erase_if(out_.calls, [](const SummaryCall& call) { return !call.callee; });
  finish_exits();
}

void Summariser::collect_block(std::uint32_t rank, LockState state) {
  state = enter(rank, state);
  std::uint32_t group = none;
  LockState first;
  for (std::uint32_t e = block_events_[rank].first; e < block_events_[rank].second; ++e) {
    const Event& event = events_[e];
    if (!state.reached || state.ended) {
      if (event.kind == Event::Kind::Call) out_.calls[event.number].callee = {};
      for (; next_spawn_ < out_.spawns.size() && out_.spawns[next_spawn_].instruction == event.instruction;
           ++next_spawn_)
        out_.spawns[next_spawn_].entry = {};
      continue;
    }
    if (event.kind == Event::Kind::Access && !is_private(event.where.node, event.position)) {
      OpenGroup& to = groups_[group_of(event.where.node, state, is_published(event.where.node, event.position))];
      to.own.push_back({event.instruction, event.where.offset, event.number, event.key, event.mode, event.flag});
    }
    if (event.kind == Event::Kind::Call) {
      const LockState& before = group == event.instruction ? first : state;
      out_.calls[event.number].lockset = before.lockset;
      out_.calls[event.number].threads = before.threads;
      take_over(calls_[event.number], before, event.position);
    }
    if (event.kind == Event::Kind::Call || event.kind == Event::Kind::Spawn)
      for (; next_spawn_ < out_.spawns.size() && out_.spawns[next_spawn_].instruction == event.instruction;
           ++next_spawn_)
        out_.spawns[next_spawn_].threads = group == event.instruction ? first.threads : state.threads;
    step(e, state, group, first);
  }
}

bool Summariser::is_published(NodeId node, std::uint32_t position) const {
  const auto known = published_.find(nodes_.root(node).index());
  return known != published_.end() && known->second < position;
}

std::uint32_t Summariser::group_of(NodeId node, const LockState& state, bool after_publication) {
  const GroupKey key{node.index(), state.lockset, state.threads, after_publication};
  const auto [at, is_new] = group_ids_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) {
    AccessGroup group;
    group.node = node;
    group.lockset = state.lockset;
    group.threads = state.threads;
    group.after_publication = after_publication;
    groups_.push_back({group, {}, {}});
  }
  return at->second;
}

/// The callee's groups that depend on its parameters, in our terms.
void Summariser::take_over(BoundCall& call, const LockState& state, std::uint32_t position) {
  if (call.rebound.empty() || !call.hands_on) return;
  const FunctionSummary& callee = *call.summary;
  for (std::uint32_t i = 0; i < callee.dependent; ++i) {
    const AccessGroup& theirs = callee.groups[i];
    const Lvalue at = call.names[theirs.node.index()];
    if (!at.valid()) continue;
    const bool is_ours = is_private(at.node, position);
    if (is_ours && (!theirs.after_publication || !published_.contains(nodes_.root(at.node).index()))) continue;
    const Node& node = nodes_[at.node];
    if (node.kind == NodeKind::Global && in_.program.globals[GlobalId(node.index)].is_thread_local) continue;
    LockState there = state;
    there.lockset = after_call(call, state.lockset, theirs.lockset);
    there.threads = threads_after(call, state.threads, theirs.threads);
    OpenGroup& ours = groups_[group_of(at.node, there, theirs.after_publication || is_published(at.node, position))];
    const InheritedAccesses row{call.instruction, call.callee, theirs.name, at.offset};
    const bool is_known = std::ranges::any_of(ours.inherited, [&](const InheritedAccesses& r) {
      return r.callee == row.callee && r.group == row.group && r.offset == row.offset;
    });
    if (!is_known) ours.inherited.push_back(row);
  }
}

/// Locks, result and stores when the function returns. If the lockset depends on whether the result is zero, it is kept for
/// both: `p = get(); if (p) { …; unlock(&l); }`.
void Summariser::finish_exits() {
  LockState any, zero, other;
  bool is_first = true;
  SymbolicValue result;
  bool has_result = false, result_known = true;
  StoreMap stores;
  for (Exit& exit : exits_) {
    const BlockId block = cfg_.order[exit.rank];
    if (!in_states_[exit.rank].reached) continue;
    const LockState out = flow_block(exit.rank, in_states_[exit.rank]);
    if (out.ended) continue;
    LockState reached = out;
    reached.reached = true;
    merge(any, reached);
    const auto add = [&](const SymbolicValue& value, const LockState& state) {
      const bool is_zero = value.is_null();
      const bool is_other =
          (value.kind == SymbolicValue::Kind::Number && value.number != 0) || value.kind == SymbolicValue::Kind::Code ||
          (value.is_address() && nodes_[value.address.node].kind != NodeKind::Formal &&
           nodes_[value.address.node].kind != NodeKind::Value && nodes_[value.address.node].kind != NodeKind::Target);
      if (!is_other) merge(zero, state);
      if (!is_zero) merge(other, state);
      if (is_zero) return;
      if (!has_result) result = value;
      result_known = result_known && (!has_result || value == result) && value.kind != SymbolicValue::Kind::Unknown;
      has_result = true;
    };
    if (exit.has_value) {
      // One return for all: the phi in front of it knows the value for each way there.
      const Instruction* phi = nullptr;
      if (exit.value.is_value() && !f_->is_parameter(exit.value.as_value())) {
        const std::size_t at = f_->definition(exit.value.as_value());
        const Block& b = f_->blocks[block.index()];
        if (at >= b.first && at < b.first + b.count && f_->instructions[at].opcode == Opcode::Phi &&
            block_events_[exit.rank].first == block_events_[exit.rank].second)
          phi = &f_->instructions[at];
      }
      if (phi == nullptr) {
        add(exit.symbolic, reached);
      } else {
        const auto operands = f_->operands_of(*phi);
        for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
          const std::uint32_t from = cfg_.rank[operands[k + 1].index()];
          if (from == flow::Cfg::none_rank || !in_states_[from].reached) continue;
          LockState edge = flow_block(from, in_states_[from]);
          if (edge.ended) continue;
          edge.reached = true;
          if (tests_[from] && edge.pending != none) {
            const auto& successors = cfg_.successors[cfg_.order[from].index()];
            if (f_->result_of(events_[edge.pending].instruction).index() == tests_[from]->value &&
                successors.size() == 2)
              edge = refine(edge, successors[0] == block ? tests_[from]->if_true : tests_[from]->if_false);
          }
          add(value_of(operands[k]), edge);
        }
      }
    }
    if (is_first) {
      stores = std::move(exit.store);
    } else {
      std::erase_if(stores, [&](const auto& entry) {
        const auto same = std::ranges::lower_bound(exit.store, entry.first, {}, &StoreMap::value_type::first);
        return same == exit.store.end() || same->first != entry.first || !(same->second == entry.second);
      });
    }
    is_first = false;
  }
  out_.returns = any.reached;
  out_.exit = any.reached ? any.lockset : 0;
  out_.exit_threads = any.threads;
  out_.exit_zero = zero.reached ? zero.lockset : out_.exit;
  out_.exit_other = other.reached ? other.lockset : out_.exit;
  out_.splits_by_result = zero.reached && other.reached && out_.exit_zero != out_.exit_other;
  if (has_result && result_known) out_.result = result;
  out_.stores = std::move(stores);
}

bool Summariser::is_dependent(const AccessGroup& group) const {
  if (nodes_[group.node].from_formal) return true;
  const RelativeLockset& l = locksets_[group.lockset];
  return std::ranges::any_of(l.acquired, [&](const HeldLock& h) { return nodes_[h.lock.node].from_formal; }) ||
         std::ranges::any_of(l.released, [&](Lvalue r) { return nodes_[r.node].from_formal; });
}

/// Copies what the summary speaks of into tables of its own.
void Summariser::export_summary() {
  std::vector<NodeId> node_ids(nodes_.size());
  const auto export_node = [&](auto& self, NodeId id) -> NodeId {
    if (node_ids[id.index()]) return node_ids[id.index()];
    Node node = nodes_[id];
    if (node.parent) node.parent = self(self, node.parent);
    if (node.kind == NodeKind::Local) node.function = id_;
    node.is_published = std::ranges::binary_search(given_away_, id.index());
    out_.nodes.push_back(node);
    return node_ids[id.index()] = NodeId(out_.nodes.size() - 1);
  };
  const auto name = [&](Lvalue l) { return Lvalue{export_node(export_node, l.node), l.offset}; };
  const auto value = [&](SymbolicValue v) {
    if (v.is_address()) {
      const NodeKind kind = nodes_[nodes_.root(v.address.node)].kind;
      if (kind == NodeKind::Local || kind == NodeKind::Value) return SymbolicValue{};
      v.address = name(v.address);
    }
    return v;
  };
  std::vector<std::uint32_t> lockset_ids(locksets_.size(), none);
  out_.locksets.assign(1, {});
  lockset_ids[0] = 0;
  const auto lockset = [&](std::uint32_t id) {
    if (lockset_ids[id] != none) return lockset_ids[id];
    RelativeLockset l;
    for (HeldLock held : locksets_[id].acquired) {
      held.lock = name(held.lock);
      l.acquired.push_back(held);
    }
    // No caller held a lock of what it has no name for.
    for (const Lvalue r : locksets_[id].released)
      if (is_known_outside(nodes_[nodes_.root(r.node)].kind)) l.released.push_back(name(r));
    std::ranges::sort(l.acquired);
    std::ranges::sort(l.released);
    out_.locksets.push_back(std::move(l));
    return lockset_ids[id] = static_cast<std::uint32_t>(out_.locksets.size() - 1);
  };
  std::vector<std::uint32_t> state_ids(thread_states_.size(), none), thread_ids(started_.size(), none);
  out_.thread_states.assign(1, {});
  state_ids[0] = 0;
  const auto threads = [&](std::uint32_t id) {
    if (state_ids[id] != none) return state_ids[id];
    ThreadState state = thread_states_[id];
    for (std::uint32_t& t : state.running) {
      if (thread_ids[t] == none) {
        const OpenThread& open = started_[t];
        thread_ids[t] = static_cast<std::uint32_t>(out_.started.size());
        out_.started.push_back({value(open.entry), name(open.handle), open.is_many || open.loop_head != none});
      }
      t = thread_ids[t];
    }
    for (Lvalue& l : state.joined) l = name(l);
    std::ranges::sort(state.running);
    std::ranges::sort(state.joined);
    out_.thread_states.push_back(std::move(state));
    return state_ids[id] = static_cast<std::uint32_t>(out_.thread_states.size() - 1);
  };
  // Names by content: the same in the next run, and after the function was summarised once more.
  std::vector<std::uint64_t> hashes;
  const auto hash_of = [&](NodeId exported) {
    while (hashes.size() <= exported.index()) {
      const Node& n = out_.nodes[hashes.size()];
      Hasher h;
      h.add(static_cast<std::uint64_t>(n.kind));
      h.add(n.kind == NodeKind::Global ? in_.ids.of(GlobalId(n.index)) : n.index);
      h.add(n.function ? in_.ids.of(n.function) : 0);
      h.add(n.parent ? hashes[n.parent.index()] : 0)
          .add(static_cast<std::uint32_t>(n.offset))
          .add(static_cast<std::uint32_t>(n.stride));
      hashes.push_back(h.finish().low);
    }
    return hashes[exported.index()];
  };
  std::vector<OpenGroup*> dependent, settled;
  for (OpenGroup& open : groups_) {
    (is_dependent(open.group) ? dependent : settled).push_back(&open);
    open.group.node = export_node(export_node, open.group.node);
    open.group.lockset = lockset(open.group.lockset);
    Hasher h;
    open.group.threads = threads(open.group.threads);
    h.add(hash_of(open.group.node)).add(open.group.after_publication ? 1 : 0);
    const ThreadState& beside = out_.thread_states[open.group.threads];
    h.add((beside.spawned ? 1 : 0) + (beside.others ? 2 : 0) + (beside.detached ? 4 : 0) +
          (beside.joined_others ? 8 : 0));
    for (const std::uint32_t t : beside.running) {
      const SymbolicValue& entry = out_.started[t].entry;
      h.add(static_cast<std::uint64_t>(entry.kind))
          .add(entry.code ? in_.program.functions[entry.code].name : std::string_view{});
      h.add(hash_of(out_.started[t].handle.node)).add(static_cast<std::uint32_t>(out_.started[t].handle.offset));
    }
    for (const Lvalue l : beside.joined) h.add(hash_of(l.node)).add(static_cast<std::uint32_t>(l.offset));
    for (const HeldLock& held : out_.locksets[open.group.lockset].acquired)
      h.add(hash_of(held.lock.node))
          .add(static_cast<std::uint32_t>(held.lock.offset))
          .add(held.count)
          .add(held.is_shared ? 1 : 0);
    h.add(0);
    for (const Lvalue l : out_.locksets[open.group.lockset].released)
      h.add(hash_of(l.node)).add(static_cast<std::uint32_t>(l.offset));
    open.group.name = h.finish().low;
  }
  const auto by_name = [](const OpenGroup* a, const OpenGroup* b) { return a->group.name < b->group.name; };
  std::ranges::sort(dependent, by_name);
  out_.dependent = std::min(static_cast<std::uint32_t>(dependent.size()), in_.limits.dependent_groups);
  dependent.insert(dependent.end(), settled.begin(), settled.end());
  for (OpenGroup* open : dependent) {
    AccessGroup group = open->group;
    group.first_own = static_cast<std::uint32_t>(out_.own.size());
    group.own_count = static_cast<std::uint32_t>(open->own.size());
    group.first_inherited = static_cast<std::uint32_t>(out_.inherited.size());
    group.inherited_count = static_cast<std::uint32_t>(open->inherited.size());
    out_.own.insert(out_.own.end(), open->own.begin(), open->own.end());
    out_.inherited.insert(out_.inherited.end(), open->inherited.begin(), open->inherited.end());
    out_.groups.push_back(group);
  }
  out_.exit = lockset(out_.exit);
  out_.exit_zero = lockset(out_.exit_zero);
  out_.exit_other = lockset(out_.exit_other);
  out_.exit_threads = threads(out_.exit_threads);
  for (SummaryCall& call : out_.calls) {
    call.lockset = lockset(call.lockset);
    call.threads = threads(call.threads);
  }
  out_.result = value(out_.result);
  std::vector<std::pair<Lvalue, SymbolicValue>> kept;
  for (const auto& [to, stored] : out_.stores)
    if (nodes_[to.node].from_formal)
      if (const SymbolicValue v = value(stored); v.kind != SymbolicValue::Kind::Unknown) kept.emplace_back(name(to), v);
  out_.stores = std::move(kept);
  for (SummarySpawn& spawn : out_.spawns) {
    spawn.entry = value(spawn.entry);
    spawn.argument = value(spawn.argument);
    spawn.threads = threads(spawn.threads);
  }
  // There are many summaries, and they stay.
  out_.nodes.shrink_to_fit();
  out_.locksets.shrink_to_fit();
  out_.groups.shrink_to_fit();
  out_.own.shrink_to_fit();
  out_.inherited.shrink_to_fit();
  out_.calls.shrink_to_fit();
}

}  // namespace heddle::scan
