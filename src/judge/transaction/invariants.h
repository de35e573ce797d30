// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Invariants over the transaction graph (TACAS09 §4): for each node one element of an abstract domain per thread, which
// speaks of the shared variables and of that thread's own ones.
//
//   <t1 at 3, t2 at 5>     (n = x, x < 3)   (n <= 7)
//
// When a thread moves, its own part is what its acts make of it, and the others' parts are melded with it: they keep
// what they know of their own variables and of shared ones that the move did not write, and learn the rest of it. Where
// ways meet, parts are joined; where some thread is at the head of a loop they are widened when they keep growing, and
// narrowed in the end.
//
// Sound by induction over the steps of an execution: every part of the node holds of the execution's state there.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/thread_graphs/apply.h"
#include "judge/transaction/product.h"
#include "numeric/octagon.h"
#include "numeric/relational_domain.h"

namespace heddle::judge::transaction {

/// γ: of shared variables what `moved` says, of the thread's own ones what `other` says; and of shared ones that were
/// not written also what `other` says.
template <numeric::RelationalDomain D>
D meld(const Model& model, D moved, D other, const std::set<VariableIndex>& written) {
  for (VariableIndex v = model.shared_count(); v < model.variables(); ++v) moved.forget(v);
  for (const VariableIndex v : written) other.forget(v);
  return meet(moved, other);
}

/// Steps of the search for invariants.
struct Effort {
  std::uint64_t left = 0;
};

/// They were used up: nothing is known.
struct EffortUsedUp {};

template <numeric::RelationalDomain D>
class Invariants {
 public:
  using Tuple = std::vector<D>;

  Invariants(const Model& model, const Product& product, Effort& effort)
      : model_(model), product_(product), effort_(effort) {}

  /// Until nothing grows. Throws EffortUsedUp, Outside.
  void find();

  [[nodiscard]] const std::map<Node, Tuple>& nodes() const { return nodes_; }
  /// The pairs of places of which a node that can be reached has both next.
  [[nodiscard]] std::set<PlacePair> met() const;
  /// Edges that no node lets a thread take.
  [[nodiscard]] Product::Dead dead() const;

 private:
  static constexpr std::uint32_t widen_after = 3;

  /// Points are numbered from the beginning of a thread on, but for those at its end.
  [[nodiscard]] std::uint64_t how_far(const Node& node) const {
    std::uint64_t out = 0;
    for (ThreadIndex t = 0; t < node.size(); ++t) {
      const PointIndex at = node[t].point;
      if (at == LocalState::not_started) continue;
      out += at < Thread::begin ? model_.threads[t].points.size() : at;
    }
    return out;
  }
  [[nodiscard]] D any() const { return D(model_.variables()); }
  [[nodiscard]] Tuple begin() const;
  void arrive(const Node& node, Tuple tuple);
  void leave(const Node& node, const Tuple& tuple);
  /// The tuple behind the edge; none: no execution takes it from there.
  [[nodiscard]] std::optional<Tuple> step(const Tuple& tuple, ThreadIndex thread, const Edge& edge) const;
  void narrow();
  [[nodiscard]] bool meet_in_space(const Node& node, const Tuple& tuple, const Product::Meeting& meeting) const;

  const Model& model_;
  const Product& product_;
  Effort& effort_;
  std::map<Node, Tuple> nodes_;
  std::map<Node, std::uint32_t> visits_;
  /// By how far the threads are, so that what meets again is looked at once; then as they came.
  std::map<std::pair<std::uint64_t, std::uint64_t>, const Node*> work_;
  std::uint64_t arrivals_ = 0;
  std::set<const Node*> waiting_;
  std::vector<std::set<EdgeName>> taken_;
  std::map<Node, Tuple>* incoming_ = nullptr;  ///< while narrowing: what arrives
};

template <numeric::RelationalDomain D>
auto Invariants<D>::begin() const -> Tuple {
  D part = any();
  for (VariableIndex v = 0; v < model_.shared_count(); ++v)
    if (const auto initial = model_.shared[v].initial) part.assign(v, LinearForm::number(*initial));
  return Tuple(model_.threads.size(), part);
}

template <numeric::RelationalDomain D>
auto Invariants<D>::step(const Tuple& tuple, ThreadIndex thread, const Edge& edge) const -> std::optional<Tuple> {
  Tuple out = tuple;
  D& own = out[thread];
  std::set<VariableIndex> written;
  for (const Act& act : edge.acts)
    if (!apply(model_, own, act, written)) return std::nullopt;
  const std::vector<VariableIndex>& live = model_.threads[thread].points[edge.to].live;
  for (VariableIndex v = model_.shared_count(); v < model_.variables(); ++v)
    if (!std::ranges::binary_search(live, v)) own.forget(v);
  for (ThreadIndex other = 0; other < out.size(); ++other) {
    if (other == thread) continue;
    D part = meld(model_, own, std::move(out[other]), written);
    if (part.is_bottom()) return std::nullopt;
    out[other] = std::move(part);
  }
  return out;
}

template <numeric::RelationalDomain D>
void Invariants<D>::arrive(const Node& node, Tuple tuple) {
  if (incoming_ != nullptr) {
    const auto [it, is_new] = incoming_->try_emplace(node, tuple);
    if (!is_new)
      for (ThreadIndex t = 0; t < tuple.size(); ++t) it->second[t] = join(it->second[t], tuple[t]);
    return;
  }
  const auto [it, is_new] = nodes_.try_emplace(node, tuple);
  Tuple& old = it->second;
  if (!is_new) {
    bool grows = false;
    for (ThreadIndex t = 0; t < tuple.size() && !grows; ++t) grows = !leq(tuple[t], old[t]);
    if (!grows) return;
    const bool widens = product_.is_loop_head(node) && ++visits_[node] > widen_after;
    for (ThreadIndex t = 0; t < tuple.size(); ++t) {
      const D both = join(old[t], tuple[t]);
      old[t] = widens ? widen(old[t], both, model_.thresholds) : both;
    }
  }
  if (waiting_.insert(&it->first).second) work_.emplace(std::pair(how_far(it->first), arrivals_++), &it->first);
}

template <numeric::RelationalDomain D>
void Invariants<D>::leave(const Node& node, const Tuple& tuple) {
  for (const ThreadIndex t : product_.movers(node)) {
    const std::vector<Edge>& edges = model_.threads[t].points[node[t].point].edges;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (product_.is_dead(t, node[t].point, e)) continue;
      if (effort_.left == 0) throw EffortUsedUp{};
      --effort_.left;
      const auto next = product_.follow(node, t, edges[e]);
      if (!next) continue;
      auto moved = step(tuple, t, edges[e]);
      if (!moved) continue;
      taken_[t].emplace(node[t].point, e);
      if (!Product::is_over(*next)) arrive(*next, std::move(*moved));
    }
  }
}

/// Once more from what was found: what is found now holds as well, and may be less.
template <numeric::RelationalDomain D>
void Invariants<D>::narrow() {
  std::map<Node, Tuple> incoming;
  incoming_ = &incoming;
  taken_.assign(model_.threads.size(), {});
  arrive(product_.begin(), begin());
  for (const auto& [node, tuple] : nodes_) leave(node, tuple);
  incoming_ = nullptr;
  for (auto& [node, tuple] : incoming) {
    const auto old = nodes_.find(node);
    for (ThreadIndex t = 0; t < tuple.size(); ++t) tuple[t] = meet(tuple[t], old->second[t]);
  }
  nodes_ = std::move(incoming);
}

template <numeric::RelationalDomain D>
void Invariants<D>::find() {
  taken_.assign(model_.threads.size(), {});
  arrive(product_.begin(), begin());
  while (!work_.empty()) {
    const Node* node = work_.begin()->second;
    work_.erase(work_.begin());
    waiting_.erase(node);
    const Tuple tuple = nodes_.at(*node);
    leave(*node, tuple);
  }
  narrow();
  narrow();
}

/// What the part of a thread there speaks of: shared variables, and its own ones that it still wants.
inline std::vector<VariableIndex> spoken_of(const Model& model, const LocalState& at, ThreadIndex thread) {
  std::vector<VariableIndex> out;
  for (VariableIndex v = 0; v < model.shared_count(); ++v) out.push_back(v);
  if (at.point == LocalState::not_started) return out;
  const std::vector<VariableIndex>& live = model.threads[thread].points[at.point].live;
  out.insert(out.end(), live.begin(), live.end());
  return out;
}

/// What the part says of these variables.
template <numeric::RelationalDomain D>
std::vector<Constraint> constraints(const D& part, const std::vector<VariableIndex>& variables) {
  std::vector<Constraint> out;
  // form + constant <= 0
  const auto add = [&](LinearForm form, numeric::Wide constant) {
    if (constant != static_cast<std::int64_t>(constant)) return;
    form.constant = static_cast<std::int64_t>(constant);
    out.push_back(std::move(form));
  };
  for (const VariableIndex v : variables) {
    const Interval range = part.interval_of(v);
    if (range.high != numeric::no_high) add(LinearForm::variable(v, 1), -numeric::Wide{range.high});
    if (range.low != numeric::no_low) add(LinearForm::variable(v, -1), range.low);
  }
  if constexpr (std::same_as<D, numeric::Octagon>) {
    for (std::size_t i = 0; i < variables.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        for (const std::int64_t sign : {-1, 1}) {
          LinearForm form = LinearForm::variable(variables[i]);
          (void)form.add(variables[j], sign);
          const Interval range = part.interval_of(form);
          const Interval alone = numeric::range_of_form(form, [&](VariableIndex v) { return part.interval_of(v); });
          if (range.high < alone.high) add(form, -numeric::Wide{range.high});
          if (range.low > alone.low && form.negate()) add(form, range.low);
        }
  }
  return out;
}

/// Both accesses can be next, of one byte.
template <numeric::RelationalDomain D>
bool Invariants<D>::meet_in_space(const Node& node, const Tuple& tuple, const Product::Meeting& meeting) const {
  if (!meeting.at_first->address || !meeting.at_second->address) return true;
  // The slots of the second stand behind those of the first.
  const auto moved = [&](const LinearForm& form) {
    LinearForm out = LinearForm::number(form.constant);
    for (const numeric::LinearTerm& term : form.terms)
      (void)out.add(model_.is_shared(term.variable) ? term.variable : term.variable + model_.slots, term.factor);
    return out;
  };
  D both(model_.variables() + model_.slots);
  const auto know = [&](const LinearForm& form) { both.guard(form, numeric::Relation::AtMostZero); };
  const ThreadIndex a = meeting.first, b = meeting.second;
  for (const Constraint& one : constraints(tuple[a], spoken_of(model_, node[a], a))) know(one);
  for (const Constraint& one : constraints(tuple[b], spoken_of(model_, node[b], b))) know(moved(one));
  const LinearForm first = *meeting.at_first->address, second = moved(*meeting.at_second->address);
  const auto begins_before_the_end = [&](const LinearForm& begin, const LinearForm& other, std::uint64_t bytes) {
    guard_at_most(both, begin, other, 1 - static_cast<std::int64_t>(bytes));
  };
  begins_before_the_end(first, second, meeting.at_second->bytes);
  begins_before_the_end(second, first, meeting.at_first->bytes);
  return !both.is_bottom();
}

template <numeric::RelationalDomain D>
std::set<PlacePair> Invariants<D>::met() const {
  std::set<PlacePair> out;
  for (const auto& [node, tuple] : nodes_)
    for (const Product::Meeting& meeting : product_.meetings(node)) {
      const Place &first = meeting.at_first->place, &second = meeting.at_second->place;
      if (out.contains({first, second}) || !meet_in_space(node, tuple, meeting)) continue;
      out.emplace(first, second);
      out.emplace(second, first);
    }
  return out;
}

template <numeric::RelationalDomain D>
Product::Dead Invariants<D>::dead() const {
  Product::Dead out(model_.threads.size());
  for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
    for (PointIndex p = 0; p < model_.threads[t].points.size(); ++p)
      for (std::size_t e = 0; e < model_.threads[t].points[p].edges.size(); ++e)
        if (!taken_[t].contains({p, e})) out[t].emplace(p, e);
  return out;
}

}  // namespace heddle::judge::transaction
