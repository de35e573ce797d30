// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Third walk: every access with the locks it happens under, those of callees re-expressed (RELAY §3.3); then the
// summary.
#include <algorithm>

#include "base/content_hash.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {
namespace {

/// Whether callers can have a name for memory with such a root from before the call.
bool is_known_outside(NodeKind root) {
  return root == NodeKind::Formal || root == NodeKind::Global || root == NodeKind::Hidden;
}

}  // namespace

void Summariser::collect() {
  next_spawn_ = 0;
  for (SummaryCall& call : out_.calls) call.callee = {};
  for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) {
    if (variants_.empty() || variants_[0][rank] == variants_[1][rank]) {
      collect_block(rank, variants_.empty() ? in_states_[rank] : variants_[0][rank], always);
      continue;
    }
    const std::size_t first_spawn = next_spawn_;
    for (const std::size_t variant : {0U, 1U}) {
      if (!variants_[variant][rank].reached) continue;
      next_spawn_ = first_spawn;
      collect_block(rank, variants_[variant][rank],
                    condition_on(split_, variant == 0 ? Outcome::Zero : Outcome::NonZero));
    }
  }
  std::erase_if(out_.calls, [](const SummaryCall& call) { return !call.callee; });
  finish_exits();
}

void Summariser::collect_block(std::uint32_t rank, LockState state, std::uint8_t when) {
  state = enter(rank, state);
  std::uint32_t group = none;
  LockState first;
  for (std::uint32_t e = block_events_[rank].first; e < block_events_[rank].second; ++e) {
    const Event& event = events_[e];
    const auto each_spawn = [&](auto act) {
      for (; next_spawn_ < out_.spawns.size() && out_.spawns[next_spawn_].instruction == event.instruction;
           ++next_spawn_)
        act(out_.spawns[next_spawn_]);
    };
    if (!state.reached || state.ended) {
      each_spawn([&](SummarySpawn& spawn) {
        if (variants_.empty()) spawn.entry = {};
      });
      continue;
    }
    if (event.kind == Event::Kind::Access && !is_private(event.where.node, event.position)) {
      OpenGroup& to = groups_[group_of(event.where.node, state, is_published(event.where.node, event.position), when)];
      to.own.push_back({event.instruction, event.where.offset, event.number, event.key, event.mode, event.flag});
      if (event.mode != AccessMode::Read) to.group.written.add(ByteRange::at(event.where.offset, event.number));
    }
    const LockState& before = group == event.instruction ? first : state;
    if (event.kind == Event::Kind::Call) {
      note_call(event, before);
      take_over(calls_[event.number], before, event.position, when);
    }
    if (event.kind == Event::Kind::Call || event.kind == Event::Kind::Spawn)
      each_spawn([&](SummarySpawn& spawn) {
        spawn.threads = spawn.threads == 0
                            ? before.threads
                            : intern(either(thread_states_[spawn.threads], thread_states_[before.threads]));
      });
    step(e, state, group, first);
  }
}

/// A call is listed once, with what is so on all ways there.
void Summariser::note_call(const Event& event, const LockState& before) {
  SummaryCall& call = out_.calls[event.number];
  if (call.callee) {
    call.lockset = intern(join(locksets_[call.lockset], locksets_[before.lockset]));
    call.threads = intern(either(thread_states_[call.threads], thread_states_[before.threads]));
    return;
  }
  call.callee = calls_[event.number].callee;
  call.lockset = before.lockset;
  call.threads = before.threads;
}

bool Summariser::is_published(NodeId node, std::uint32_t position) const {
  const auto known = published_.find(nodes_.root(node).index());
  return known != published_.end() && known->second < position;
}

std::uint32_t Summariser::group_of(NodeId node, const LockState& state, bool after_publication, std::uint8_t when) {
  const GroupKey key{node.index(), state.lockset, state.threads, after_publication, when};
  const auto [at, is_new] = group_ids_.try_emplace(key, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) {
    AccessGroup group;
    group.node = node;
    group.lockset = state.lockset;
    group.threads = state.threads;
    group.after_publication = after_publication;
    group.when = when;
    group.is_variant = !variants_.empty();
    groups_.push_back({group, {}, {}});
  }
  return at->second;
}

/// The callee's groups that depend on its parameters, in our terms.
void Summariser::take_over(BoundCall& call, const LockState& state, std::uint32_t position, std::uint8_t when) {
  if (call.rebound.empty() || !call.hands_on) return;
  const FunctionSummary& callee = *call.summary;
  for (std::uint32_t i = 0; i < callee.dependent; ++i) {
    const AccessGroup& theirs = callee.groups[i];
    Lvalue at = call.names[theirs.node.index()];
    if (BoundCall::has_no_name(at)) at = {some_object(callee.nodes[theirs.node.index()].type), 0};
    const std::optional<std::uint8_t> condition = bound_condition(call, theirs.when, when);
    if (!at.valid() || !condition) continue;
    const bool is_ours = is_private(at.node, position);
    if (is_ours && (!theirs.after_publication || !published_.contains(nodes_.root(at.node).index()))) continue;
    const Node& node = nodes_[at.node];
    if (node.kind == NodeKind::Global && in_.program.globals[GlobalId(node.index)].is_thread_local) continue;
    LockState there = state;
    there.lockset = after_call(call, state.lockset, theirs.lockset);
    there.threads = threads_after(call, state.threads, theirs.threads);
    OpenGroup& ours =
        groups_[group_of(at.node, there, theirs.after_publication || is_published(at.node, position), *condition)];
    ours.group.written.add(theirs.written.moved(at.offset));
    const InheritedAccesses row{call.instruction, call.callee, theirs.name, at.offset};
    const bool is_known = std::ranges::any_of(ours.inherited, [&](const InheritedAccesses& r) {
      return r.callee == row.callee && r.group == row.group && r.offset == row.offset;
    });
    if (!is_known) ours.inherited.push_back(row);
  }
}

/// What callers have no name for is settled, whatever they could say about its locks.
bool Summariser::is_dependent(const AccessGroup& group) const {
  if (nodes_[group.node].from_formal) return true;
  const NodeKind root = nodes_[nodes_.root(group.node)].kind;
  if (root == NodeKind::Value || root == NodeKind::Local) return false;
  if (group.when != always) return true;
  const RelativeLockset& l = locksets_[group.lockset];
  return std::ranges::any_of(l.acquired, [&](const HeldLock& h) { return nodes_[h.lock.node].from_formal; }) ||
         std::ranges::any_of(l.released, [&](const ReleasedLock& r) { return nodes_[r.lock.node].from_formal; });
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
    for (ReleasedLock gone : locksets_[id].released) {
      if (!is_known_outside(nodes_[nodes_.root(gone.lock.node)].kind)) continue;
      gone.lock = name(gone.lock);
      l.released.push_back(gone);
    }
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
    h.add(hash_of(open.group.node)).add((open.group.after_publication ? 1U : 0U) + 2U * open.group.when);
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
          .add(held.is_shared() ? 1 : 0);
    h.add(0);
    for (const ReleasedLock& gone : out_.locksets[open.group.lockset].released) {
      h.add(hash_of(gone.lock.node)).add(static_cast<std::uint32_t>(gone.lock.offset));
      if (gone.weakened != 0) h.add(gone.count).add(gone.weakened);
    }
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
  // A value of ours has no name for callers, but they can name what was returned to them.
  if (out_.result.is_address() && nodes_[out_.result.address.node].kind == NodeKind::Value)
    out_.result.address = name(out_.result.address);
  else
    out_.result = value(out_.result);
  if (out_.returned_handle.valid()) out_.returned_handle = name(out_.returned_handle);
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
