// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/product.h"

#include <algorithm>

#include "proof/transaction/stuck.h"

namespace heddle::judge::transaction {
namespace {

template <class T>
bool meet(const std::set<T>& a, const std::set<T>& b) {
  return std::ranges::any_of(a, [&](const T& x) { return b.contains(x); });
}

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

const Take* first_take(const Edge& edge) { return edge.acts.empty() ? nullptr : std::get_if<Take>(&edge.acts.front()); }

bool excludes(const Hold& held, const Take& take) {
  return held.lock == take.lock && !(held.is_shared && take.is_shared);
}

}  // namespace

Product::Product(const Model& model, const std::vector<PlacePair>& pairs) : model_(model), dead_(model.threads.size()) {
  for (const auto& [a, b] : pairs) {
    pairs_.emplace(a, b);
    pairs_.emplace(b, a);
  }
  find_footprints();
}

Node Product::begin() const {
  Node node(model_.threads.size());
  node[0].point = Thread::begin;
  return node;
}

void Product::leave_out(Dead dead) {
  dead_ = std::move(dead);
  futures_.clear();
  find_footprints();
}

bool Product::is_dead(ThreadIndex thread, PointIndex point, std::size_t edge) const {
  return dead_[thread].contains({point, edge});
}

void Product::Footprint::add(const Footprint& other) {
  reads.insert(other.reads.begin(), other.reads.end());
  writes.insert(other.writes.begin(), other.writes.end());
  adds.insert(other.adds.begin(), other.adds.end());
  locks.insert(other.locks.begin(), other.locks.end());
  starts.insert(other.starts.begin(), other.starts.end());
  joins.insert(other.joins.begin(), other.joins.end());
  ends.insert(other.ends.begin(), other.ends.end());
  places.insert(other.places.begin(), other.places.end());
  is_everything = is_everything || other.is_everything;
}

Product::Footprint Product::footprint(ThreadIndex thread, const Edge& edge) const {
  Footprint out;
  if (edge.to == Thread::ended) out.ends.insert(thread);
  const auto read = [&](const LinearForm& form) {
    for (const numeric::LinearTerm& term : form.terms)
      if (model_.is_shared(term.variable)) out.reads.insert(term.variable);
  };
  const auto write = [&](VariableIndex target) {
    if (model_.is_shared(target)) out.writes.insert(target);
  };
  const auto assign = [&](const Assign& act) {
    const bool adds = model_.is_shared(act.target) && act.wraps && act.range == model_.shared[act.target].range &&
                      std::ranges::find(act.form.terms, numeric::LinearTerm{act.target, 1}) != act.form.terms.end();
    if (!adds) return read(act.form), write(act.target);
    out.adds.insert(act.target);
    for (const numeric::LinearTerm& term : act.form.terms)
      if (term.variable != act.target && model_.is_shared(term.variable)) out.reads.insert(term.variable);
  };
  out.is_everything = edge.to == Thread::exits;
  for (const Act& act : edge.acts)
    std::visit(
        Overloaded{[&](const Assign& a) { assign(a); }, [&](const Forget& a) { write(a.target); },
                   [&](const Guard& a) { read(a.left), read(a.right); },
                   [&](const Take& a) { out.locks.insert(a.lock); }, [&](const Give& a) { out.locks.insert(a.lock); },
                   [&](const Start& a) { out.starts.insert(a.thread); },
                   [&](const Join& a) { out.joins.insert(a.thread); },
                   [&](const Visit& a) {
                     out.places.insert(a.place);
                     if (a.address) read(*a.address);
                   }},
        act);
  return out;
}

void Product::find_footprints() {
  next_.assign(model_.threads.size(), {});
  goes_on_.assign(model_.threads.size(), {});
  visits_.assign(model_.threads.size(), {});
  for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
    for (PointIndex p = 0; p < model_.threads[t].points.size(); ++p) {
      Footprint& all = next_[t].emplace_back();
      const std::vector<Edge>& edges = model_.threads[t].points[p].edges;
      goes_on_[t].push_back(proof::transaction::always_goes_on(model_.threads[t].points[p]));
      for (const Edge& edge : edges) all.add(footprint(t, edge));
      std::vector<const Visit*>& visits = visits_[t].emplace_back();
      for (const Edge& edge : edges)
        for (const Act& act : edge.acts)
          if (const Visit* visit = std::get_if<Visit>(&act)) visits.push_back(visit);
    }
}

bool Product::conflict(const Footprint& a, const Footprint& b) const {
  if ((a.is_everything && !b.is_empty()) || (b.is_everything && !a.is_empty())) return true;
  if (meet(a.writes, b.writes) || meet(a.writes, b.reads) || meet(a.reads, b.writes)) return true;
  const auto disturbs = [](const Footprint& adding, const Footprint& other) {
    return meet(adding.adds, other.reads) || meet(adding.adds, other.writes);
  };
  if (disturbs(a, b) || disturbs(b, a)) return true;
  if (meet(a.locks, b.locks) || meet(a.starts, b.joins) || meet(a.joins, b.starts) || meet(a.starts, b.starts) ||
      meet(a.starts, b.ends) || meet(a.ends, b.starts))
    return true;
  return std::ranges::any_of(a.places, [&](const Place& x) {
    return std::ranges::any_of(b.places, [&](const Place& y) { return pairs_.contains({x, y}); });
  });
}

/// What a thread can come to from there without passing a lock that is closed to it.
const Product::Footprint& Product::future(ThreadIndex thread, const LocalState& from,
                                          const std::vector<Hold>& closed) const {
  const bool is_there = from.point != LocalState::not_started && from.point != Thread::ended;
  const PointIndex start = is_there ? from.point : Thread::begin;
  const auto [it, is_new] = futures_.try_emplace({thread, start, closed});
  if (!is_new) return it->second;
  const Thread& graph = model_.threads[thread];
  std::vector<bool> seen(graph.points.size());
  std::vector<PointIndex> work{start};
  seen[start] = true;
  Footprint out;
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    const std::vector<Edge>& edges = graph.points[at].edges;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const Take* take = first_take(edges[e]);
      if (take != nullptr && std::ranges::any_of(closed, [&](const Hold& held) { return excludes(held, *take); }))
        continue;
      out.add(footprint(thread, edges[e]));
      if (is_dead(thread, at, e)) continue;
      if (!seen[edges[e].to]) work.push_back(edges[e].to);
      seen[edges[e].to] = true;
    }
  }
  it->second = std::move(out);
  return it->second;
}

bool Product::can_move(const Node& node, ThreadIndex thread) const {
  const PointIndex at = node[thread].point;
  return at != LocalState::not_started && !model_.threads[thread].points[at].edges.empty();
}

bool Product::moves_alone(const Node& node, ThreadIndex thread) const {
  const PointIndex at = node[thread].point;
  const Point& point = model_.threads[thread].points[at];
  if (point.is_loop_head || !goes_on_[thread][at]) return false;
  const Footprint& own = next_[thread][at];
  if (own.is_everything) return false;
  bool is_enabled = false;
  for (std::size_t e = 0; e < point.edges.size(); ++e)
    if (!is_dead(thread, at, e)) {
      if (!follow(node, thread, point.edges[e])) return false;
      is_enabled = true;
    }
  if (!is_enabled) return false;
  if (own.is_empty()) return true;
  // Who is over counts if somebody else may start it again.
  std::vector<bool> counts(node.size());
  for (bool grew = true; grew;) {
    grew = false;
    for (ThreadIndex other = 0; other < node.size(); ++other) {
      if (other == thread || counts[other]) continue;
      bool is_there = node[other].point != Thread::ended;
      for (ThreadIndex starter = 0; starter < node.size() && !is_there; ++starter)
        is_there = counts[starter] && future(starter, node[starter], node[thread].holds).starts.contains(other);
      if (!is_there) continue;
      if (conflict(own, future(other, node[other], node[thread].holds))) return false;
      counts[other] = grew = true;
    }
  }
  return true;
}

std::vector<ThreadIndex> Product::movers(const Node& node, bool reduced) const {
  std::vector<ThreadIndex> all;
  for (ThreadIndex t = 0; t < node.size(); ++t)
    if (can_move(node, t)) all.push_back(t);
  if (!reduced) return all;
  for (const ThreadIndex t : all)
    if (moves_alone(node, t)) return {t};
  return all;
}

std::optional<Node> Product::follow(const Node& node, ThreadIndex thread, const Edge& edge) const {
  Node out = node;
  std::vector<Hold>& holds = out[thread].holds;
  for (const Act& act : edge.acts) {
    if (const Take* take = std::get_if<Take>(&act)) {
      for (ThreadIndex other = 0; other < node.size(); ++other)
        if (other != thread &&
            std::ranges::any_of(node[other].holds, [&](const Hold& h) { return excludes(h, *take); }))
          return std::nullopt;
      if (std::ranges::any_of(holds, [&](const Hold& h) { return h.lock == take->lock; }))
        throw Outside{"a thread takes " + model_.locks[take->lock] + " while it holds it"};
      holds.push_back({take->lock, take->is_shared});
      std::ranges::sort(holds);
    } else if (const Give* give = std::get_if<Give>(&act)) {
      if (std::erase_if(holds, [&](const Hold& h) { return h.lock == give->lock; }) == 0)
        throw Outside{"a thread gives back " + model_.locks[give->lock] + ", which it does not hold"};
    } else if (const Start* start = std::get_if<Start>(&act)) {
      // One that is over is not the same thread again; but nothing is left of it.
      if (out[start->thread].point != LocalState::not_started && out[start->thread].point != Thread::ended)
        throw Outside{"'" + model_.threads[start->thread].name + "' is started more than once at one place"};
      out[start->thread].point = Thread::begin;
    } else if (const Join* join = std::get_if<Join>(&act)) {
      const PointIndex at = out[join->thread].point;
      if (at != Thread::ended && at != LocalState::not_started) return std::nullopt;
    }
  }
  out[thread].point = edge.to;
  return out;
}

bool Product::is_over(const Node& node) {
  return std::ranges::any_of(node, [](const LocalState& s) { return s.point == Thread::exits; });
}

std::vector<Product::Meeting> Product::meetings(const Node& node) const {
  std::vector<Meeting> out;
  for (ThreadIndex a = 0; a < node.size(); ++a)
    for (ThreadIndex b = a + 1; b < node.size(); ++b) {
      if (node[a].point == LocalState::not_started || node[b].point == LocalState::not_started) continue;
      for (const Visit* x : visits_[a][node[a].point])
        for (const Visit* y : visits_[b][node[b].point])
          if (pairs_.contains({x->place, y->place})) out.push_back({a, b, x, y});
    }
  return out;
}

bool Product::is_loop_head(const Node& node) const {
  for (ThreadIndex t = 0; t < node.size(); ++t)
    if (node[t].point != LocalState::not_started && model_.threads[t].points[node[t].point].is_loop_head) return true;
  return false;
}

}  // namespace heddle::judge::transaction
