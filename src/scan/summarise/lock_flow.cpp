// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Second walk: relative locksets at every block, a fixpoint over the events that touch locks (RELAY §3.2).
#include <algorithm>
#include <ranges>

#include "program/model/function_queries.h"
#include "scan/summarise/summarise.h"

namespace heddle::scan {

std::uint32_t Summariser::intern(RelativeLockset lockset) {
  const auto at = std::ranges::find(locksets_, lockset);
  if (at != locksets_.end()) return static_cast<std::uint32_t>(at - locksets_.begin());
  locksets_.push_back(std::move(lockset));
  return static_cast<std::uint32_t>(locksets_.size() - 1);
}

/// A lock of an object that has no name here: all that is left is its kind, the member of the struct.
Lvalue Summariser::some_lock(const FunctionSummary& callee, Lvalue lock) {
  const TypeId type = callee.nodes[lock.node.index()].type;
  if (!type || in_.program.types[type].kind != TypeKind::Struct) return {};
  return {some_object(type), lock.offset};
}

NodeId Summariser::some_object(TypeId type) {
  const auto index = type ? static_cast<std::uint32_t>(in_.ids.of(type) & 0x7fffffffU) : 0;
  return nodes_.intern({.kind = NodeKind::Value, .index = index, .type = type});
}

/// A callee's lockset in our terms; of locks that have no name here, only the kind.
std::uint32_t Summariser::rebound_lockset(BoundCall& call, std::uint32_t number) {
  std::uint32_t& known = call.rebound[number];
  if (known != none) return known;
  const RelativeLockset& theirs = call.summary->locksets[number];
  RelativeLockset ours;
  const auto name = [&](Lvalue lock) {
    const Lvalue at = call.name(lock);
    return at.valid() ? at : some_lock(*call.summary, lock);
  };
  for (const HeldLock& held : theirs.acquired)
    if (const Lvalue lock = name(held.lock); lock.valid()) ours.acquire(lock, held.mode, held.count);
  // Two names of theirs may be one of ours: it is given back if either is.
  for (const ReleasedLock& gone : theirs.released)
    if (const Lvalue at = name(gone.lock); at.valid())
      if (gone.count != 0 || locks::find_row(ours.released, at) == nullptr)
        locks::set_row(ours.released, ReleasedLock{at, gone.count, gone.weakened}, true);
  return known = intern(std::move(ours));
}

std::uint32_t Summariser::after_call(BoundCall& call, std::uint32_t before, std::uint32_t callee_lockset) {
  if (call.rebound.empty() || callee_lockset == 0) return before;
  const std::uint32_t theirs = rebound_lockset(call, callee_lockset);
  // A guard object of ours that gives back nobody knows what: it may be any that we took.
  const bool loses_any =
      std::ranges::any_of(call.summary->locksets[callee_lockset].released,
                          [&](const ReleasedLock& gone) { return call.name(gone.lock) == BoundCall::somewhere(); });
  if (loses_any) return intern(compose(RelativeLockset{{}, locksets_[before].released}, locksets_[theirs]));
  if (theirs == 0) return before;
  RelativeLockset first = locksets_[before];
  for (const ReleasedLock& gone : locksets_[theirs].released) drop_other_names(first, gone.lock);
  return intern(compose(first, locksets_[theirs], [&](Lvalue released, Lvalue held) {
    return is_some_object(nodes_[held.node]) && may_mean(released, held);
  }));
}

/// Whether a release by this name may mean a lock that was taken by another: a vague name, of the same place in the
/// same kind of object.
bool Summariser::may_mean(Lvalue released, Lvalue held) const {
  const Node& root = nodes_[nodes_.root(released.node)];
  const Node& other = nodes_[nodes_.root(held.node)];
  const bool is_element = nodes_[released.node].kind == NodeKind::Element;
  if (is_some_object(nodes_[held.node])) return released.offset == held.offset;
  if (root.kind != NodeKind::Value && !is_element) return false;
  // Objects of their own are not each other.
  if (root.kind != NodeKind::Value && other.kind != NodeKind::Value &&
      nodes_.root(released.node) != nodes_.root(held.node))
    return false;
  if (released.offset == held.offset && (other.kind == NodeKind::Value || nodes_[held.node].kind == NodeKind::Element))
    return true;
  const auto record = [&](NodeId node) {
    TypeId type = nodes_[node].type;
    while (type && in_.program.types[type].kind == TypeKind::Array) type = in_.program.types[type].element;
    return type && in_.program.types[type].kind == TypeKind::Struct ? type : TypeId{};
  };
  const TypeId type = record(released.node);
  if (!type || type != record(held.node)) return false;
  const auto size = static_cast<std::int32_t>(in_.program.types[type].size_bytes());
  return size > 0 && (released.offset - held.offset) % size == 0;
}

void Summariser::apply(const Event& event, std::uint32_t number, LockState& state) {
  switch (event.kind) {
    case Event::Kind::Acquire:
      if (event.outcome != Outcome::Always) {
        state.pending = number;
        state.before = state.lockset;
        return;
      }
      {
        RelativeLockset held = locksets_[state.lockset];
        held.acquire(event.where, event.lock_mode());
        state.lockset = intern(std::move(held));
      }
      state.pending = none;
      return;
    case Event::Kind::Release: {
      RelativeLockset held = locksets_[state.lockset];
      drop_other_names(held, event.where);
      held.release(event.where, [&](Lvalue released, Lvalue other) { return may_mean(released, other); });
      state.lockset = intern(std::move(held));
      state.pending = none;
      return;
    }
    case Event::Kind::Call: {
      BoundCall& call = calls_[event.number];
      state.threads = threads_after(call, state.threads, call.summary->exit_threads);
      if (call.rebound.empty()) return;
      const FunctionSummary& callee = *call.summary;
      const std::uint32_t before = state.lockset;
      state.lockset = after_call(call, before, callee.exit);
      if (callee.splits_by_result) {
        state.pending = number;
        state.before = before;
      } else if (state.lockset != before) {
        state.pending = none;
      }
      return;
    }
    case Event::Kind::Spawn:
    case Event::Kind::Join:
    case Event::Kind::Move:
    case Event::Kind::Detach: return apply_thread_event(event, state);
    case Event::Kind::Access: return;
  }
}

/// What a branch on the result of a call tells.
Summariser::LockState Summariser::refine(const LockState& state, Outcome outcome) {
  LockState out = state;
  out.pending = none;
  const Event& event = events_[state.pending];
  if (event.kind == Event::Kind::Acquire) {
    const bool taken = outcome == event.outcome || (event.outcome == Outcome::NonNegative && outcome == Outcome::Zero);
    if (!taken) return out;
    RelativeLockset held = locksets_[state.lockset];
    held.acquire(event.where, event.lock_mode());
    out.lockset = intern(std::move(held));
    return out;
  }
  BoundCall& call = calls_[event.number];
  const FunctionSummary& callee = *call.summary;
  if (outcome == Outcome::Zero) out.lockset = after_call(call, state.before, callee.exit_zero);
  if (outcome == Outcome::NonZero || outcome == Outcome::Negative)
    out.lockset = after_call(call, state.before, callee.exit_other);
  return out;
}

bool Summariser::merge(LockState& into, const LockState& from) {
  if (!into.reached) {
    into = from;
    into.reached = true;
    return true;
  }
  LockState out = into;
  if (out.lockset != from.lockset) out.lockset = intern(join(locksets_[into.lockset], locksets_[from.lockset]));
  if (out.pending != from.pending || out.before != from.before) out.pending = none;
  if (out.threads != from.threads)
    out.threads = intern(either(thread_states_[into.threads], thread_states_[from.threads]));
  if (out == into) return false;
  into = out;
  return true;
}

bool Summariser::never_returns(const BoundCall& call) const {
  return call.summary != nullptr && call.summary->missing == FunctionSummary::Missing::None && !call.summary->returns;
}

/// A lock named by a value is not known by that name any more when the value gets its next content. Of a phi, that is
/// on the way to its block (see cross).
void Summariser::add_forgets() {
  forgets_.assign(cfg_.order.size(), {});
  phis_.assign(cfg_.order.size(), {});
  for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) {
    const Block& block = f_->blocks[cfg_.order[rank].index()];
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
      if (f_->instructions[i].opcode != Opcode::Phi) break;
      const SymbolicValue& value = values_[f_->result_of(i).index()];
      if (value.is_address() && nodes_[value.address.node].kind == NodeKind::Value &&
          nodes_[value.address.node].index == f_->result_of(i).index())
        phis_[rank].push_back(i);
    }
  }
  const auto note = [&](NodeId node, std::uint32_t value) {
    if (value < f_->parameters.size() || value >= f_->value_count()) return;
    if (f_->instructions[f_->definition(ValueId(value))].opcode == Opcode::Phi) return;
    const std::uint32_t rank = cfg_.rank[block_of(*f_, f_->definition(ValueId(value))).index()];
    if (rank != flow::Cfg::none_rank && std::ranges::find(forgets_[rank], node) == forgets_[rank].end())
      forgets_[rank].push_back(node);
  };
  const auto note_lock = [&](Lvalue lock) {
    for (NodeId node = lock.node; node; node = nodes_[node].parent) {
      const Node& n = nodes_[node];
      if (n.kind == NodeKind::Value && n.function) note(node, n.index);
      if (n.kind == NodeKind::Element && n.index != 0 && n.index != Node::some_element) note(node, n.index - 1);
    }
  };
  for (const Event& event : events_) {
    if (event.kind == Event::Kind::Acquire) note_lock(event.where);
    if (event.kind != Event::Kind::Call) continue;
    const BoundCall& call = calls_[event.number];
    for (const Lvalue name : call.names)
      if (name.valid() && !call.rebound.empty()) note_lock(name);
  }
}

Summariser::LockState Summariser::flow_block(std::uint32_t rank, LockState state) {
  state = enter(rank, state);
  std::uint32_t group = none;
  LockState first;
  for (std::uint32_t e = block_events_[rank].first; e < block_events_[rank].second; ++e) step(e, state, group, first);
  return state;
}

Summariser::LockState Summariser::enter(std::uint32_t rank, LockState state) {
  if (forgets_.empty() || forgets_[rank].empty()) return state;
  RelativeLockset held = locksets_[state.lockset];
  const std::size_t before = held.acquired.size();
  for (const NodeId node : forgets_[rank])
    held.forget_if([&](Lvalue lock) { return nodes_.is_below(lock.node, node); });
  if (held.acquired.size() != before) state.lockset = intern(std::move(held));
  return state;
}

/// Who gives back a lock gives it back under all its names.
void Summariser::drop_other_names(RelativeLockset& held, Lvalue released) const {
  for (const auto& [first, second] : one_lock_) {
    const Lvalue other = first == released ? second : second == released ? first : Lvalue{};
    if (other.valid()) held.forget_if([&](Lvalue lock) { return lock == other; });
  }
}

/// On the way to a block with phis, the locks of what goes into one get its name as well: `for (n = list; n; n =
/// n->next) if (!trylock(&n->l)) goto out;` and `out: n->x = 1`, where n is another value, one of several.
void Summariser::cross(std::uint32_t from, std::uint32_t to, LockState& state) {
  if (phis_.empty() || phis_[to].empty() || locksets_[state.lockset].acquired.empty()) return;
  RelativeLockset held = locksets_[state.lockset];
  std::vector<HeldLock> renamed;
  for (const std::uint32_t i : phis_[to]) {
    const auto operands = f_->operands_of(f_->instructions[i]);
    const NodeId phi = values_[f_->result_of(i).index()].address.node;
    for (std::size_t k = 0; k + 1 < operands.size(); k += 2) {
      if (cfg_.rank[operands[k + 1].index()] != from) continue;
      const SymbolicValue value = value_of(operands[k]);
      if (!value.is_address()) break;
      for (const HeldLock& h : held.acquired) {
        if (h.lock.node != value.address.node) continue;
        renamed.push_back({{phi, h.lock.offset - value.address.offset}, h.mode, h.count});
        const std::pair names(h.lock, renamed.back().lock);
        if (std::ranges::find(one_lock_, names) == one_lock_.end()) one_lock_.push_back(names);
      }
      break;
    }
  }
  for (const std::uint32_t i : phis_[to]) {
    const NodeId phi = values_[f_->result_of(i).index()].address.node;
    held.forget_if([&](Lvalue lock) { return nodes_.is_below(lock.node, phi); });
  }
  for (const HeldLock& h : renamed)
    if (held.find(h.lock) == nullptr) held.acquire(h.lock, h.mode, h.count);
  state.lockset = intern(std::move(held));
}

/// Targets of one call through a pointer are alternatives: each starts where the first did, and what they leave is
/// joined.
void Summariser::step(std::uint32_t number, LockState& state, std::uint32_t& group, LockState& first) {
  const Event& event = events_[number];
  if (event.kind != Event::Kind::Call) return apply(event, number, state);
  if (group != event.instruction) {
    group = event.instruction;
    first = state;
    apply(event, number, state);
    state.ended = never_returns(calls_[event.number]);
    return;
  }
  if (never_returns(calls_[event.number])) return;
  LockState other = first;
  apply(event, number, other);
  other.reached = state.reached = true;
  if (state.ended)
    state = other;
  else
    merge(state, other);
}

void Summariser::flow_locks() {
  variants_.clear();
  if (cfg_.order.empty()) return;
  forgets_.clear();
  phis_.clear();
  one_lock_.clear();
  if (has_lock_events_) add_forgets();
  find_loop_joins();
  split_ = has_lock_events_ ? find_split() : none;
  if (split_ == none) return reach_states();
  for (const Outcome assumed : {Outcome::Zero, Outcome::NonZero}) {
    assumed_ = assumed;
    in_states_.assign(cfg_.order.size(), {});
    reach_states();
    variants_.push_back(in_states_);
  }
  const bool is_needed =
      std::ranges::any_of(std::views::iota(std::size_t{0}, cfg_.order.size()), [&](std::size_t rank) {
        return variants_[0][rank].reached && variants_[1][rank].reached && variants_[0][rank] != variants_[1][rank];
      });
  if (is_needed) return;
  for (std::size_t rank = 0; rank < cfg_.order.size(); ++rank)
    if (!in_states_[rank].reached) in_states_[rank] = variants_[0][rank];
  variants_.clear();
  split_ = none;
}

void Summariser::reach_states() {
  in_states_[0].reached = true;
  const bool has_ends = std::ranges::any_of(calls_, [&](const BoundCall& c) { return never_returns(c); });
  const bool is_trivial = !has_lock_events_ && !has_thread_events_ && !out_.may_spawn && !has_ends;
  bool changed = true;
  for (int round = 0; changed && round < 12; ++round) {
    changed = false;
    for (std::uint32_t rank = 0; rank < cfg_.order.size(); ++rank) {
      if (!in_states_[rank].reached) continue;
      const LockState out = is_trivial ? in_states_[rank] : flow_block(rank, in_states_[rank]);
      if (out.ended) continue;
      const auto& successors = cfg_.successors[cfg_.order[rank].index()];
      for (std::size_t s = 0; s < successors.size(); ++s) {
        if (successors.size() == 2 && !may_go(rank, s)) continue;
        LockState edge = out;
        edge.reached = true;
        if (tests_[rank] && out.pending != none && successors.size() == 2) {
          const Event& event = events_[out.pending];
          const std::uint32_t value = f_->result_of(event.instruction).index();
          if (value == tests_[rank]->value) edge = refine(edge, tests_[rank]->on(s));
        }
        const std::uint32_t to = cfg_.rank[successors[s].index()];
        cross(rank, to, edge);
        if (!loop_joins_.empty()) leave_loop(rank, to, edge);
        if (merge(in_states_[to], edge) && to <= rank) changed = true;
      }
    }
  }
}

}  // namespace heddle::scan
