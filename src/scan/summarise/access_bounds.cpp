// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summarise/access_bounds.h"

namespace heddle::scan {
namespace {

using Upper = locks::LockState<Lvalue, locks::Bound::Upper>;

/// Whether a name means one place as long as the function runs.
bool has_one_meaning(const NodeTable& nodes, Lvalue at) {
  for (NodeId id = at.node; id; id = nodes[id].parent)
    if (nodes[id].kind == NodeKind::Value || nodes[id].kind == NodeKind::Element) return false;
  return at.valid();
}

class Bounds {
 public:
  Bounds(const FunctionBody& body, const NodeTable& nodes, const Execution& done, LockFlow& flow)
      : body_(body), nodes_(nodes), done_(done), flow_(flow), entry_(body.block_count()) {}

  AccessBounds run() {
    AccessBounds out;
    out.predecessors.resize(body_.block_count());
    if (flow_.variants().size() != 1 || body_.block_count() == 0) return out;
    const auto& lower = flow_.variants()[0].entry;
    find_upper(lower);
    for (std::uint32_t rank = 0; rank < body_.block_count(); ++rank) {
      if (!lower[rank].reached) continue;
      for (const BlockId next : body_.successors(rank)) out.predecessors[body_.cfg.rank[next.index()]].push_back(rank);
      list(rank, lower[rank], out.accesses);
    }
    return out;
  }

 private:
  struct State {
    bool reached = false;
    bool is_known = true;
    Upper locks;
    friend bool operator==(const State&, const State&) = default;
  };

  void find_upper(const std::vector<LockState>& lower) {
    constexpr int most_rounds = 12;
    entry_[0].reached = true;
    bool changed = true;
    for (int round = 0; changed; ++round) {
      changed = false;
      for (std::uint32_t rank = 0; rank < body_.block_count(); ++rank) {
        if (!entry_[rank].reached || !lower[rank].reached) continue;
        State state = entry_[rank];
        const auto [first, end] = done_.block_events[rank];
        for (std::uint32_t e = first; e < end; ++e) apply(done_.events[e], state);
        if (round > most_rounds) state.is_known = false;
        for (const BlockId next : body_.successors(rank)) {
          const std::uint32_t to = body_.cfg.rank[next.index()];
          changed |= merge(entry_[to], state, to <= rank);
        }
      }
    }
  }

  static bool merge(State& into, const State& from, bool is_around_loop) {
    const State before = into;
    if (!into.reached) {
      into = from;
    } else {
      into.is_known &= from.is_known;
      into.locks = is_around_loop ? locks::widen(into.locks, from.locks) : locks::join(into.locks, from.locks);
    }
    if (!into.is_known) into.locks = {};
    return !(into == before);
  }

  void apply(const SymbolicEvent& event, State& state) const {
    switch (event.kind) {
      case SymbolicEvent::Kind::Acquire: {
        state.is_known &= has_one_meaning(nodes_, event.where);
        Upper taken = state.locks;
        taken.acquire(event.where, event.lock_mode());
        state.locks = event.sign == ResultSign::Always ? taken : locks::join(state.locks, taken);
        return;
      }
      case SymbolicEvent::Kind::Release:
        state.is_known &= has_one_meaning(nodes_, event.where);
        return state.locks.release(event.where);
      case SymbolicEvent::Kind::Wait:
        state.is_known &= has_one_meaning(nodes_, event.where);
        if (event.where.valid()) state.locks.wait(event.where);
        return;
      case SymbolicEvent::Kind::Call: {
        const BoundCall& call = done_.calls[event.call];
        state.is_known &= call.summary->missing == FunctionSummary::Missing::None && !call.summary->uses_locks;
        return;
      }
      default: return;
    }
  }

  void list(std::uint32_t rank, const LockState& entry, std::vector<BoundedAccess>& out) {
    LockState lower = flow_.enter(rank, entry);
    State upper = entry_[rank];
    LockFlow::Alternatives alternatives;
    const auto [first, end] = done_.block_events[rank];
    for (std::uint32_t e = first; e < end; ++e) {
      const SymbolicEvent& event = done_.events[e];
      if (event.kind == SymbolicEvent::Kind::Access) out.push_back(bounded(rank, event, lower, upper));
      flow_.step(e, lower, alternatives);
      apply(event, upper);
    }
  }

  [[nodiscard]] BoundedAccess bounded(std::uint32_t rank, const SymbolicEvent& event, const LockState& lower,
                                      const State& upper) const {
    BoundedAccess out{rank, event.at.instruction, event.size, event.access, event.is_atomic, false, event.where, {},
                      {}};
    out.is_bounded = upper.is_known && has_one_meaning(nodes_, event.where);
    const LockHistory& history = flow_.histories().all()[lower.history];
    out.least = {flow_.locksets().rows()[lower.lockset], {history.rows, history.since_entry, {}}};
    out.most = upper.locks;
    return out;
  }

  const FunctionBody& body_;
  const NodeTable& nodes_;
  const Execution& done_;
  LockFlow& flow_;
  std::vector<State> entry_;  ///< by rank
};

}  // namespace

AccessBounds bound_accesses(const FunctionBody& body, const NodeTable& nodes, const Execution& done, LockFlow& flow) {
  return Bounds(body, nodes, done, flow).run();
}

}  // namespace heddle::scan
