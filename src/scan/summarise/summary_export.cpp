// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/summary_export.h"

#include <algorithm>

#include "base/content_hash.h"
#include "scan/names/one_place.h"

namespace heddle::scan {
namespace {

/// Whether callers can have a name for memory with such a root from before the call.
bool is_known_outside(NodeKind root) {
  return root == NodeKind::Formal || root == NodeKind::Global || root == NodeKind::Hidden;
}

}  // namespace

FunctionSummary SummaryExport::run(GuardedAccesses& accesses, const FunctionExit& exit) {
  out_.missing = FunctionSummary::Missing::None;
  out_.may_spawn = done_.may_spawn;
  out_.uses_locks = done_.has_lock_events || done_.has_history_events ||
                    std::ranges::any_of(done_.calls, [](const BoundCall& call) { return call.summary->uses_locks; });
  out_.escaping = done_.publication.escaping();
  out_.escaping_below = done_.publication.escaping_below();
  out_.overwriting = done_.overwriting;
  out_.gives_locals_away = done_.publication.gives_locals_away();
  out_.leaves_copies = done_.publication.leaves_copies();
  out_.locksets.assign(1, {});
  lockset_ids_[0] = 0;
  out_.histories.assign(1, {});
  history_ids_[0] = 0;
  out_.thread_states.assign(1, {});
  state_ids_[0] = 0;
  export_groups(accesses);
  export_exit(exit);
  export_calls(accesses);
  export_interrupted();
  find_asked();
  export_result(exit);
  out_.spawns = std::move(accesses.spawns);
  for (SummarySpawn& spawn : out_.spawns) {
    spawn.entry = value(spawn.entry);
    spawn.argument = value(spawn.argument);
    spawn.threads = threads(spawn.threads);
  }
  shrink();
  return std::move(out_);
}

// ---- names, locksets and states in tables of the summary

NodeId SummaryExport::node(NodeId id) {
  if (node_ids_[id.index()]) return node_ids_[id.index()];
  Node node = nodes_[id];
  if (node.parent) node.parent = this->node(node.parent);
  if (node.kind == NodeKind::Local) node.function = body_.id;
  node.is_published = done_.publication.is_given_away(id);
  out_.nodes.push_back(node);
  return node_ids_[id.index()] = NodeId(out_.nodes.size() - 1);
}

/// Of an object that callers have no name for, the kind: they may hold it under a name of theirs.
Lvalue SummaryExport::some_lock(Lvalue lock) {
  const TypedByte at = typed_byte(nodes_.all(), lock);
  const auto index = at.type ? static_cast<std::uint32_t>(in_.ids.of(at.type) & 0x7fffffffU) : 0;
  std::size_t node = 0;
  while (node < out_.nodes.size() && !(is_some_object(out_.nodes[node]) && out_.nodes[node].index == index)) ++node;
  if (node == out_.nodes.size()) out_.nodes.push_back({.kind = NodeKind::Value, .index = index, .type = at.type});
  return {NodeId(node), static_cast<std::int32_t>(at.offset)};
}

SymbolicValue SummaryExport::value(SymbolicValue value) {
  if (!value.is_address()) return value;
  const NodeKind kind = nodes_[nodes_.root(value.address.node)].kind;
  if (kind == NodeKind::Local || kind == NodeKind::Value) return {};
  value.address = name(value.address);
  return value;
}

std::uint32_t SummaryExport::lockset(std::uint32_t id) {
  if (lockset_ids_[id] != missing) return lockset_ids_[id];
  RelativeLockset out;
  for (HeldLock held : locksets_[id].acquired) {
    held.lock = name(held.lock);
    out.acquired.push_back(held);
  }
  // More often than that is any number of times: recursive functions have to come to an end.
  constexpr std::uint8_t most_often = 3;
  for (ReleasedLock gone : locksets_[id].released) {
    const NodeKind root = nodes_[nodes_.root(gone.lock.node)].kind;
    if (names_one_object(nodes_.all(), gone.lock.node) && !is_known_outside(root)) continue;  // no caller held it
    gone.lock = is_known_outside(root) ? name(gone.lock) : some_lock(gone.lock);
    if (gone.count > most_often) gone.count = locks::LockChange::any;
    if (gone.weakened > most_often) gone.weakened = locks::LockChange::any;
    const ReleasedLock* same = locks::find_row(out.released, gone.lock);
    if (same == nullptr || same->count < gone.count) locks::set_row(out.released, gone, true);
  }
  std::ranges::sort(out.acquired);
  out_.locksets.push_back(std::move(out));
  return lockset_ids_[id] = static_cast<std::uint32_t>(out_.locksets.size() - 1);
}

AcquiredSet SummaryExport::acquired(const AcquiredSet& set) {
  AcquiredSet out;
  for (const AcquiredLock& one : set) locks::add(out, name(one.lock), one.mode);
  return out;
}

std::uint32_t SummaryExport::history(std::uint32_t id) {
  if (history_ids_[id] != missing) return history_ids_[id];
  LockHistory out{{}, acquired(histories_.all()[id].since_entry)};
  for (const HistoryRow& row : histories_.all()[id].rows) out.rows.push_back({name(row.lock), acquired(row.since)});
  std::ranges::sort(out.rows, {}, &HistoryRow::lock);
  out_.histories.push_back(std::move(out));
  return history_ids_[id] = static_cast<std::uint32_t>(out_.histories.size() - 1);
}

std::uint32_t SummaryExport::started(std::uint32_t row) {
  if (thread_ids_[row] != missing) return thread_ids_[row];
  const OpenThread& open = done_.threads[row];
  thread_ids_[row] = static_cast<std::uint32_t>(out_.started.size());
  const SymbolicValue entry = value(open.entry);
  out_.started.push_back(
      {entry, name(open.handle), open.is_many || open.loop_head != OpenThread::no_loop, open.is_group});
  return thread_ids_[row];
}

std::uint32_t SummaryExport::threads(std::uint32_t id) {
  if (state_ids_[id] != missing) return state_ids_[id];
  ThreadState state = states_[id];
  for (std::uint32_t& row : state.running) row = started(row);
  for (Lvalue& handle : state.joined) handle = name(handle);
  std::ranges::sort(state.running);
  std::ranges::sort(state.joined);
  out_.thread_states.push_back(std::move(state));
  return state_ids_[id] = static_cast<std::uint32_t>(out_.thread_states.size() - 1);
}

// ---- groups and their names

/// What callers have no name for is settled, whatever they could say about its locks.
bool SummaryExport::is_dependent(const AccessGroup& group) const {
  if (nodes_[group.node].from_formal) return true;
  const NodeKind root = nodes_[nodes_.root(group.node)].kind;
  if (root == NodeKind::Value || root == NodeKind::Local) return false;
  if (group.when.asks_for_zero()) return true;
  const RelativeLockset& l = locksets_[group.lockset];
  return std::ranges::any_of(l.acquired, [&](const HeldLock& h) { return nodes_[h.lock.node].from_formal; }) ||
         std::ranges::any_of(l.released, [&](const ReleasedLock& r) { return nodes_[r.lock.node].from_formal; });
}

std::uint64_t SummaryExport::hash_of(NodeId exported) {
  while (hashes_.size() <= exported.index()) {
    const Node& n = out_.nodes[hashes_.size()];
    Hasher h;
    h.add(static_cast<std::uint64_t>(n.kind));
    h.add(n.kind == NodeKind::Global ? in_.ids.of(GlobalId(n.index)) : n.index);
    h.add(n.function ? in_.ids.of(n.function) : 0);
    h.add(n.parent ? hashes_[n.parent.index()] : 0)
        .add(static_cast<std::uint32_t>(n.offset))
        .add(static_cast<std::uint32_t>(n.stride));
    hashes_.push_back(h.finish().low);
  }
  return hashes_[exported.index()];
}

void SummaryExport::add_threads(Hasher& h, const ThreadState& beside) {
  h.add((beside.spawned ? 1 : 0) + (beside.others ? 2 : 0) + (beside.detached ? 4 : 0) +
        (beside.joined_others ? 8 : 0));
  for (const std::uint32_t t : beside.running) {
    const auto& [entry, handle, is_many, is_group] = out_.started[t];
    h.add(static_cast<std::uint64_t>(entry.kind))
        .add(entry.code ? in_.program.functions[entry.code].name : std::string_view{});
    h.add(hash_of(handle.node)).add(static_cast<std::uint32_t>(handle.offset));
  }
  for (const Lvalue l : beside.joined) h.add(hash_of(l.node)).add(static_cast<std::uint32_t>(l.offset));
}

void SummaryExport::add_locks(Hasher& h, const RelativeLockset& lockset) {
  for (const HeldLock& held : lockset.acquired)
    h.add(hash_of(held.lock.node))
        .add(static_cast<std::uint32_t>(held.lock.offset))
        .add(held.count)
        .add(held.is_shared() ? 1 : 0);
  h.add(0);
  for (const ReleasedLock& gone : lockset.released) {
    h.add(hash_of(gone.lock.node)).add(static_cast<std::uint32_t>(gone.lock.offset));
    if (gone.weakened != 0 || gone.count > 1) h.add(gone.count).add(gone.weakened);
  }
}

void SummaryExport::add_rows(Hasher& h, const LockHistory& history) {
  const auto add = [&](Lvalue lock) { h.add(hash_of(lock.node)).add(static_cast<std::uint32_t>(lock.offset)); };
  for (const HistoryRow& row : history.rows) {
    add(row.lock);
    for (const AcquiredLock& acquired : row.since) {
      add(acquired.lock);
      h.add(acquired.mode == locks::Mode::Shared ? 1 : 0);
    }
  }
}

/// Of an exported group.
std::uint64_t SummaryExport::name_of(const AccessGroup& group) {
  Hasher h;
  h.add(hash_of(group.node)).add(group.after_publication ? 1U : 0U);
  h.add(static_cast<std::uint64_t>(group.when.kind())).add(group.when.parameter());
  h.add(static_cast<std::uint64_t>(group.when.number())).add(group.when.code() ? in_.ids.of(group.when.code()) : 0);
  add_threads(h, out_.thread_states[group.threads]);
  add_locks(h, out_.locksets[group.lockset]);
  add_rows(h, out_.histories[group.history]);
  return h.finish().low;
}

void SummaryExport::export_groups(GuardedAccesses& accesses) {
  std::vector<OpenGroup*> dependent, settled;
  for (OpenGroup& open : accesses.groups) {
    (is_dependent(open.group) ? dependent : settled).push_back(&open);
    open.group.node = node(open.group.node);
    open.group.lockset = lockset(open.group.lockset);
    open.group.history = history(open.group.history);
    open.group.threads = threads(open.group.threads);
    open.group.name = name_of(open.group);
  }
  std::ranges::sort(dependent, {}, [](const OpenGroup* open) { return open->group.name; });
  out_.dependent = std::min(static_cast<std::uint32_t>(dependent.size()), in_.limits.dependent_groups);
  dependent.insert(dependent.end(), settled.begin(), settled.end());
  out_.groups.reserve(dependent.size());
  out_.own.reserve(accesses.own.size());
  out_.inherited.reserve(accesses.inherited.size());
  for (const OpenGroup* open : dependent) {
    AccessGroup& group = out_.groups.emplace_back(open->group);
    group.first_own = static_cast<std::uint32_t>(out_.own.size());
    accesses.own.each(open->own, [&](const OwnAccess& row) { out_.own.push_back(row); });
    group.own_count = static_cast<std::uint32_t>(out_.own.size()) - group.first_own;
    group.first_inherited = static_cast<std::uint32_t>(out_.inherited.size());
    accesses.inherited.each(open->inherited, [&](const InheritedAccesses& row) { out_.inherited.push_back(row); });
    group.inherited_count = static_cast<std::uint32_t>(out_.inherited.size()) - group.first_inherited;
  }
}

// ---- the rest

void SummaryExport::export_exit(const FunctionExit& exit) {
  const std::uint32_t any = exit.any.reached ? exit.any.lockset : 0;
  const std::uint32_t zero = exit.zero.reached ? exit.zero.lockset : any;
  const std::uint32_t other = exit.other.reached ? exit.other.lockset : any;
  const std::uint32_t valid = exit.valid.reached ? exit.valid.lockset : other;
  out_.returns = exit.any.reached;
  out_.splits_by_result = exit.zero.reached && exit.other.reached && (zero != other || valid != other);
  out_.exit = lockset(any);
  out_.exit_zero = lockset(zero);
  out_.exit_other = lockset(other);
  out_.exit_valid = lockset(valid);
  if (exit.if_zero.reached && exit.if_not.reached && exit.if_zero.lockset != exit.if_not.lockset) {
    out_.exit_when = exit.when;
    out_.exit_if = lockset(exit.if_zero.lockset);
    out_.exit_else = lockset(exit.if_not.lockset);
  }
  const auto exit_history = [&](const LockState& state) { return state.reached ? history(state.history) : 0; };
  out_.exit_histories = {exit_history(exit.any), exit_history(exit.if_zero), exit_history(exit.if_not)};
  out_.exit_thrown = lockset(exit.thrown);
  out_.exit_threads = threads(exit.any.threads);
}

void SummaryExport::export_calls(GuardedAccesses& accesses) {
  out_.calls = std::move(accesses.calls);
  for (SummaryCall& call : out_.calls) {
    call.lockset = lockset(call.lockset);
    call.history = history(call.history);
    call.threads = threads(call.threads);
    for (auto& [index, given] : call.arguments) given = value(given);
    std::erase_if(call.arguments, [](const auto& argument) { return argument.second.is_unknown(); });
    call.arguments.shrink_to_fit();
  }
}

/// As with what locksets give back: nobody outside held what only this function knows.
void SummaryExport::export_interrupted() {
  locks::AcquisitionHistory<Lvalue> out;
  constexpr int most_often = 3;
  for (const Interruption& gone : histories_.interrupted()) {
    const NodeKind root = nodes_[nodes_.root(gone.lock.node)].kind;
    if (names_one_object(nodes_.all(), gone.lock.node) && !is_known_outside(root)) continue;
    out.interrupt(is_known_outside(root) ? name(gone.lock) : some_lock(gone.lock),
                  gone.depth > most_often ? locks::LockChange::any : gone.depth);
  }
  out_.interrupted = std::move(out.interrupted);
  out_.may_interrupt_any = histories_.may_interrupt_any();
}

/// The parameters on which it depends what settled accesses and calls do: those that conditions name, whose locks are
/// held there, and those that are passed on to who asks for them.
void SummaryExport::find_asked() {
  const auto ask = [&](std::uint32_t parameter) {
    if (parameter < Condition::most) out_.asked |= std::uint64_t{1} << parameter;
  };
  const auto ask_for = [&](Condition when, std::uint32_t lockset) {
    if (when.asks_for_value()) ask(when.parameter());
    for (const HeldLock& held : out_.locksets[lockset].acquired) {
      const Node* node = &out_.nodes[held.lock.node.index()];
      if (!node->from_formal) continue;
      while (node->parent) node = &out_.nodes[node->parent.index()];
      ask(node->index);
    }
  };
  for (std::uint32_t i = out_.dependent; i < out_.groups.size(); ++i)
    ask_for(out_.groups[i].when, out_.groups[i].lockset);
  for (const SummaryCall& call : out_.calls) {
    ask_for(call.when, call.lockset);
    for (const auto& [index, given] : call.arguments) {
      if (given.is_parameter()) ask(static_cast<std::uint32_t>(given.number));
      if (!given.is_address()) continue;
      const Node* node = &out_.nodes[given.address.node.index()];
      while (node->parent) node = &out_.nodes[node->parent.index()];
      if (node->kind == NodeKind::Formal) ask(node->index);
    }
  }
}

void SummaryExport::export_result(const FunctionExit& exit) {
  // A value of ours has no name for callers, but they can name what was returned to them.
  if (exit.result.is_address() && nodes_[exit.result.address.node].kind == NodeKind::Value)
    out_.result = SymbolicValue::at(name(exit.result.address));
  else
    out_.result = value(exit.result);
  if (exit.returned_handle.valid()) out_.returned_handle = name(exit.returned_handle);
  for (const auto& [to, stored] : exit.stores)
    if (nodes_[to.node].from_formal)
      if (const SymbolicValue v = value(stored); !v.is_unknown()) out_.stores.emplace_back(name(to), v);
}

/// There are many summaries, and they stay.
void SummaryExport::shrink() {
  out_.nodes.shrink_to_fit();
  out_.locksets.shrink_to_fit();
  out_.histories.shrink_to_fit();
  out_.groups.shrink_to_fit();
  out_.own.shrink_to_fit();
  out_.inherited.shrink_to_fit();
  out_.calls.shrink_to_fit();
}

}  // namespace heddle::scan
