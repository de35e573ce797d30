// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "proof/transaction/conflicts.h"

#include <algorithm>

#include "proof/transaction/stuck.h"

namespace heddle::proof::transaction {

namespace {

/// Whether a thread with these holds keeps another from taking the lock so.
bool keeps_out(const std::vector<Hold>& holds, const Take& take) {
  return std::ranges::any_of(
      holds, [&](const Hold& held) { return held.lock == take.lock && (!held.is_shared || !take.is_shared); });
}

bool holds_it(const LocalState& thread, LockIndex lock) {
  return std::ranges::find(thread.holds, lock, &Hold::lock) != thread.holds.end();
}

}  // namespace

Passage pass(const Node& node, ThreadIndex thread, const Edge& edge) {
  Passage out{Passage::Kind::Goes, node};
  LocalState& own = out.to[thread];
  for (const Act& act : edge.acts) {
    if (const Take* take = std::get_if<Take>(&act)) {
      for (ThreadIndex other = 0; other < node.size(); ++other)
        if (other != thread && keeps_out(node[other].holds, *take)) return {Passage::Kind::Waits, {}};
      if (holds_it(own, take->lock)) return {Passage::Kind::Wrong, {}};
      const Hold held{take->lock, take->is_shared};
      own.holds.insert(std::ranges::upper_bound(own.holds, held), held);
    } else if (const Give* give = std::get_if<Give>(&act)) {
      if (!holds_it(own, give->lock)) return {Passage::Kind::Wrong, {}};
      own.holds.erase(std::ranges::find(own.holds, give->lock, &Hold::lock));
    } else if (const Start* start = std::get_if<Start>(&act)) {
      LocalState& started = out.to[start->thread];
      if (started.point != LocalState::not_started && started.point != Thread::ended) return {Passage::Kind::Wrong, {}};
      started.point = Thread::begin;
    } else if (const Join* join = std::get_if<Join>(&act)) {
      const PointIndex at = node[join->thread].point;
      if (at != LocalState::not_started && at != Thread::ended) return {Passage::Kind::Waits, {}};
    }
  }
  own.point = edge.to;
  return out;
}

Conflicts::Conflicts(const Model& model, const Annotation& claims, const std::set<PlacePair>& pairs)
    : model_(model), claims_(claims) {
  for (const auto& [a, b] : pairs) {
    pairs_.emplace(a, b);
    pairs_.emplace(b, a);
  }
  cut_loops();
}

const std::vector<Edge>& Conflicts::edges(const Node& node, ThreadIndex thread) const {
  static const std::vector<Edge> none;
  const PointIndex at = node[thread].point;
  return at < model_.threads[thread].points.size() ? model_.threads[thread].points[at].edges : none;
}

/// The points that the model calls heads of loops, if no cycle is without them; else all.
void Conflicts::cut_loops() {
  for (const Thread& thread : model_.threads) {
    std::vector<bool> cut;
    for (const Point& point : thread.points) cut.push_back(point.is_loop_head);
    // What is left is taken apart from its beginnings on; a cycle stays.
    std::vector<std::uint32_t> entering(thread.points.size());
    const auto counts = [&](PointIndex from, const Edge& edge) { return !cut[from] && !cut[edge.to]; };
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (const Edge& edge : thread.points[p].edges)
        if (counts(p, edge)) ++entering[edge.to];
    std::vector<PointIndex> free;
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      if (entering[p] == 0) free.push_back(p);
    std::size_t gone = 0;
    while (!free.empty()) {
      const PointIndex at = free.back();
      free.pop_back();
      ++gone;
      for (const Edge& edge : thread.points[at].edges)
        if (counts(at, edge) && --entering[edge.to] == 0) free.push_back(edge.to);
    }
    if (gone != thread.points.size()) cut.assign(thread.points.size(), true);
    cut_.push_back(std::move(cut));
  }
}

/// x := x + …, around the whole width of x.
bool Conflicts::is_sum(const Assign& assign) const {
  if (!model_.is_shared(assign.target) || !assign.wraps) return false;
  if (!(model_.shared[assign.target].range == assign.range)) return false;
  for (const numeric::LinearTerm& term : assign.form.terms)
    if (term.variable == assign.target) return term.factor == 1;
  return false;
}

std::vector<Conflicts::Use> Conflicts::uses(ThreadIndex thread, const Edge& edge) const {
  std::vector<Use> out;
  if (edge.to == Thread::ended) out.push_back({Use::Kind::Life, thread, 1, false});
  const auto read = [&](const LinearForm& form) {
    for (const numeric::LinearTerm& term : form.terms)
      if (model_.is_shared(term.variable)) out.push_back({Use::Kind::Variable, term.variable, 0, false});
  };
  for (const Act& act : edge.acts) {
    if (const Assign* assign = std::get_if<Assign>(&act); assign != nullptr && is_sum(*assign)) {
      LinearForm rest = assign->form;
      std::erase_if(rest.terms, [&](const numeric::LinearTerm& term) { return term.variable == assign->target; });
      read(rest);
      out.push_back({Use::Kind::Sum, assign->target, 0, true});
    } else if (assign != nullptr) {
      read(assign->form);
      if (model_.is_shared(assign->target)) out.push_back({Use::Kind::Variable, assign->target, 0, true});
    } else if (const Forget* forget = std::get_if<Forget>(&act)) {
      if (model_.is_shared(forget->target)) out.push_back({Use::Kind::Variable, forget->target, 0, true});
    } else if (const Guard* guard = std::get_if<Guard>(&act)) {
      read(guard->left);
      read(guard->right);
    } else if (const Take* take = std::get_if<Take>(&act)) {
      out.push_back({Use::Kind::Lock, take->lock, 0, true});
    } else if (const Give* give = std::get_if<Give>(&act)) {
      out.push_back({Use::Kind::Lock, give->lock, 0, true});
    } else if (const Start* start = std::get_if<Start>(&act)) {
      out.push_back({Use::Kind::Life, start->thread, 0, true});
    } else if (const Join* join = std::get_if<Join>(&act)) {
      out.push_back({Use::Kind::Life, join->thread, 0, false});
    } else if (const Visit* visit = std::get_if<Visit>(&act)) {
      out.push_back({Use::Kind::Place, visit->place.function.index(), visit->place.instruction, true});
      if (visit->address) read(*visit->address);
    }
  }
  if (edge.to == Thread::exits) out.push_back({Use::Kind::Everything, 0, 0, true});
  return out;
}

bool Conflicts::clash(const Use& a, const Use& b) const {
  if (a.kind == Use::Kind::Everything || b.kind == Use::Kind::Everything) return true;
  const auto is_number = [](const Use& use) { return use.kind == Use::Kind::Variable || use.kind == Use::Kind::Sum; };
  if (is_number(a) && is_number(b) && a.kind != b.kind) return a.which == b.which;
  if (a.kind != b.kind || a.kind == Use::Kind::Sum) return false;
  if (a.kind == Use::Kind::Place) {
    const Place x{FunctionId(a.which), static_cast<std::uint32_t>(a.more)};
    const Place y{FunctionId(b.which), static_cast<std::uint32_t>(b.more)};
    return pairs_.contains({x, y});
  }
  return a.which == b.which && (a.changes || b.changes);
}

const std::set<Conflicts::Use>& Conflicts::reach(ThreadIndex thread, PointIndex from,
                                                 const std::vector<Hold>& closed) const {
  const auto [known, is_new] = reach_.try_emplace({thread, from, closed});
  if (!is_new) return known->second;
  const std::vector<Point>& points = model_.threads[thread].points;
  std::set<PointIndex> open{from}, done;
  while (!open.empty()) {
    const PointIndex at = *open.begin();
    open.erase(open.begin());
    done.insert(at);
    for (std::size_t e = 0; e < points[at].edges.size(); ++e) {
      const Edge& edge = points[at].edges[e];
      const bool is_shut = !edge.acts.empty() && std::holds_alternative<Take>(edge.acts.front()) &&
                           keeps_out(closed, std::get<Take>(edge.acts.front()));
      if (is_shut) continue;
      for (const Use& use : uses(thread, edge)) known->second.insert(use);
      if (!claims_.dead[thread].contains({at, e}) && !done.contains(edge.to)) open.insert(edge.to);
    }
  }
  return known->second;
}

bool Conflicts::moves_alone(const Node& node, ThreadIndex thread) const {
  const PointIndex at = node[thread].point;
  if (at >= cut_[thread].size() || cut_[thread][at] || !always_goes_on(model_.threads[thread].points[at])) return false;
  std::set<Use> own;
  bool can_move = false;
  const std::vector<Edge>& all = edges(node, thread);
  for (std::size_t e = 0; e < all.size(); ++e) {
    for (const Use& use : uses(thread, all[e])) own.insert(use);
    if (claims_.dead[thread].contains({at, e})) continue;
    if (pass(node, thread, all[e]).kind != Passage::Kind::Goes) return false;
    can_move = true;
  }
  if (!can_move) return false;
  // All who are there, and who can be started by one of these.
  std::vector<ThreadIndex> open;
  std::set<ThreadIndex> known{thread};
  for (ThreadIndex other = 0; other < node.size(); ++other)
    if (node[other].point != Thread::ended && known.insert(other).second) open.push_back(other);
  while (!open.empty()) {
    const ThreadIndex other = open.back();
    open.pop_back();
    const PointIndex at_other = node[other].point;
    const bool begins = at_other == LocalState::not_started || at_other == Thread::ended;
    for (const Use& theirs : reach(other, begins ? Thread::begin : at_other, node[thread].holds)) {
      for (const Use& mine : own)
        if (clash(mine, theirs)) return false;
      if (theirs.kind != Use::Kind::Life || !theirs.changes) continue;
      const auto started = static_cast<ThreadIndex>(theirs.which);
      if (known.insert(started).second) open.push_back(started);
    }
  }
  return std::ranges::none_of(own, [](const Use& use) { return use.kind == Use::Kind::Everything; });
}

}  // namespace heddle::proof::transaction
