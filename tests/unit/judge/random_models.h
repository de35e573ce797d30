// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small models, and all their executions, enumerated state by state, without reduction and without domains.
#pragma once
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/own_values.h"
#include "judge/transaction_models.h"

namespace heddle::judge::transaction {

inline constexpr Interval small_range{-2, 2};
inline constexpr std::uint32_t shared_variables = 2, locks = 2, most_places = 4;

class RandomThread {
 public:
  RandomThread(std::mt19937& random, std::uint32_t number) : random_(random), number_(number) {}

  WrittenThread make(std::string name, std::vector<Act> first_acts, std::vector<Act> last_acts) {
    for (Act& act : first_acts) step({std::move(act)});
    statements(below(3) + 2, 0, {});
    for (Act& act : last_acts) step({std::move(act)});
    steps_.push_back({at_, Thread::ended, {}});
    return {std::move(name), std::move(steps_)};
  }

 private:
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random_);
  }
  void step(std::vector<Act> acts) {
    steps_.push_back({at_, next_, std::move(acts)});
    at_ = next_++;
  }
  VariableIndex variable() { return below(shared_variables + 1); }  // the last one is the thread's own
  LinearForm number() {
    const auto constant = static_cast<std::int64_t>(below(3)) - 1;
    return below(2) == 0 ? n(constant) : x(variable(), constant);
  }
  std::pair<Act, Act> guards() {
    const LinearForm left = x(variable()),
                     right = below(3) == 0 ? number() : n(static_cast<std::int64_t>(below(3)) - 1);
    switch (below(4)) {
      case 0: return {guard(left, Predicate::Eq, right), guard(left, Predicate::Ne, right)};
      case 1: return {guard(left, Predicate::Slt, right), guard(left, Predicate::Sge, right)};
      case 2: return {guard(left, Predicate::Sle, right), guard(left, Predicate::Sgt, right)};
      default: return {guard(left, Predicate::Ult, right), guard(left, Predicate::Uge, right)};
    }
  }
  Act place_with_address() {
    Visit out{place(number_ * 2 + below(2))};
    if (below(2) == 0) {
      out.address = number();
      out.bytes = below(2) + 1;
    }
    return out;
  }
  void add_to(VariableIndex target) {
    step({set(target, x(target, static_cast<std::int64_t>(below(3)) - 1), small_range)});
  }
  void branch(int depth, const std::set<LockIndex>& held) {
    const auto [taken, other] = guards();
    const PointIndex from = at_;
    step({taken});
    statements(below(2) + 1, depth + 1, held);
    steps_.push_back({from, at_, {other}});
  }
  void loop(int depth, const std::set<LockIndex>& held) {
    step({});
    const auto [taken, other] = guards();
    const PointIndex head = at_;
    step({taken});
    statements(below(2), depth + 1, held);
    steps_.push_back({at_, head, {}});
    at_ = head;
    step({other});
  }
  void locked(int depth, std::set<LockIndex> held) {
    const LockIndex lock = below(locks);
    if (!held.insert(lock).second) return;
    step({take(lock, below(4) == 0)});
    statements(below(3) + 1, depth + 1, held);
    step({give(lock)});
  }
  void statements(std::uint32_t count, int depth, const std::set<LockIndex>& held) {
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t kind = below(depth < 2 ? 10 : 6);
      if (kind < 2)
        step({set(variable(), number(), small_range)});
      else if (kind < 3)
        add_to(below(shared_variables));
      else if (kind < 4)
        step({Forget{variable(), small_range}});
      else if (kind < 6)
        step({place_with_address()});
      else if (kind < 8)
        locked(depth, held);
      else if (kind < 9)
        branch(depth, held);
      else
        loop(depth, held);
    }
  }

  std::mt19937& random_;
  std::uint32_t number_;
  PointIndex at_ = Thread::begin, next_ = Thread::begin + 1;
  std::vector<WrittenStep> steps_;
};

inline Model random_model(std::mt19937& random) {
  const bool has_third = random() % 3 == 0, joins = random() % 2 == 0;
  std::vector<WrittenThread> threads;
  std::vector<Act> starts{start(1)}, ends;
  if (has_third) starts.push_back(start(2));
  if (joins) starts.push_back(join(1));
  if (random() % 4 == 0) starts.push_back(start(1));  // again, perhaps while it runs
  threads.push_back(RandomThread(random, 0).make("main", starts, ends));
  threads.push_back(RandomThread(random, 1).make("t1", {}, {}));
  if (has_third) threads.push_back(RandomThread(random, 1).make("t2", {}, {}));
  return model({{"x", 0, small_range}, {"y", 1, small_range}}, {"a", "b"}, threads, 1);
}

/// Every state of the model.
class Executions {
 public:
  explicit Executions(const Model& model) : model_(model) {}

  /// False: too many.
  bool run(std::size_t most) {
    State first;
    first.at.resize(model_.threads.size());
    first.at[0].point = Thread::begin;
    for (const SharedVariable& variable : model_.shared) first.shared.push_back(variable.initial.value_or(0));
    first.own.assign(model_.threads.size() * model_.slots, 0);
    add(first);
    while (!work_.empty() && states_.size() < most) {
      const State state = work_.back();
      work_.pop_back();
      look_at(state);
      for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
        if (state.at[t].point != LocalState::not_started)
          for (const Edge& edge : model_.threads[t].points[state.at[t].point].edges) perform(state, t, edge, 0);
    }
    return work_.empty();
  }
  std::set<PlacePair> met;
  bool is_outside = false;  ///< a thread was started while it ran

 private:
  struct State {
    Node at;
    std::vector<std::int64_t> shared, own;
    friend auto operator<=>(const State&, const State&) = default;
  };
  void add(const State& state) {
    if (states_.insert(state).second) work_.push_back(state);
  }
  std::int64_t& cell(State& state, ThreadIndex t, VariableIndex v) const {
    return model_.is_shared(v) ? state.shared[v] : state.own[t * model_.slots + v - model_.shared_count()];
  }
  std::int64_t value(State& state, ThreadIndex t, const LinearForm& form) const {
    std::int64_t sum = form.constant;
    for (const numeric::LinearTerm& term : form.terms) sum += term.factor * cell(state, t, term.variable);
    return sum;
  }
  static bool holds(Predicate predicate, std::int64_t a, std::int64_t b) {
    const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
    switch (predicate) {
      case Predicate::Eq: return a == b;
      case Predicate::Ne: return a != b;
      case Predicate::Slt: return a < b;
      case Predicate::Sge: return a >= b;
      case Predicate::Sle: return a <= b;
      case Predicate::Sgt: return a > b;
      case Predicate::Ult: return ua < ub;
      default: return ua >= ub;
    }
  }
  void any(const State& state, ThreadIndex t, const Edge& edge, std::size_t act, VariableIndex target) {
    for (std::int64_t v = small_range.low; v <= small_range.high; ++v) {
      State next = state;
      cell(next, t, target) = v;
      perform(next, t, edge, act + 1);
    }
  }
  bool synchronise(State& state, ThreadIndex t, const Act& act) {
    std::vector<Hold>& holds = state.at[t].holds;
    if (const Take* take = std::get_if<Take>(&act)) {
      for (const LocalState& other : state.at)
        for (const Hold& held : other.holds)
          if (held.lock == take->lock && (!held.is_shared || !take->is_shared)) return false;
      holds.push_back({take->lock, take->is_shared});
      std::ranges::sort(holds);
    } else if (const Give* give = std::get_if<Give>(&act)) {
      std::erase_if(holds, [&](const Hold& held) { return held.lock == give->lock; });
    } else if (const Start* start = std::get_if<Start>(&act)) {
      PointIndex& at = state.at[start->thread].point;
      if (at != LocalState::not_started && at != Thread::ended) is_outside = true;
      at = Thread::begin;
    } else if (const Join* join = std::get_if<Join>(&act)) {
      const PointIndex at = state.at[join->thread].point;
      return at == LocalState::not_started || at == Thread::ended;
    }
    return true;
  }
  void perform(State state, ThreadIndex t, const Edge& edge, std::size_t act) {
    for (; act < edge.acts.size(); ++act) {
      const Act& one = edge.acts[act];
      if (const Forget* forget = std::get_if<Forget>(&one)) return any(state, t, edge, act, forget->target);
      if (const Assign* assign = std::get_if<Assign>(&one)) {
        const std::int64_t sum = value(state, t, assign->form);
        const std::int64_t size = small_range.high - small_range.low + 1;
        cell(state, t, assign->target) = ((sum - small_range.low) % size + size) % size + small_range.low;
      } else if (const Guard* guard = std::get_if<Guard>(&one)) {
        if (!holds(guard->predicate, value(state, t, guard->left), value(state, t, guard->right))) return;
      } else if (!synchronise(state, t, one)) {
        return;
      }
    }
    state.at[t].point = edge.to;
    if (edge.to != Thread::exits) add(state);
  }
  [[nodiscard]] std::vector<const Visit*> next_visits(const LocalState& at, ThreadIndex t) const {
    std::vector<const Visit*> out;
    if (at.point == LocalState::not_started) return out;
    for (const Edge& edge : model_.threads[t].points[at.point].edges)
      for (const Act& act : edge.acts)
        if (const Visit* visit = std::get_if<Visit>(&act)) out.push_back(visit);
    return out;
  }
  [[nodiscard]] bool overlap(State& state, ThreadIndex a, const Visit& x, ThreadIndex b, const Visit& y) const {
    if (!x.address || !y.address) return true;
    const std::int64_t first = value(state, a, *x.address), second = value(state, b, *y.address);
    return first < second + static_cast<std::int64_t>(y.bytes) && second < first + static_cast<std::int64_t>(x.bytes);
  }
  void look_at(State state) {
    for (ThreadIndex a = 0; a < state.at.size(); ++a)
      for (ThreadIndex b = 0; b < state.at.size(); ++b)
        if (a != b)
          for (const Visit* first : next_visits(state.at[a], a))
            for (const Visit* second : next_visits(state.at[b], b))
              if (overlap(state, a, *first, b, *second)) met.emplace(first->place, second->place);
  }

  const Model& model_;
  std::set<State> states_;
  std::vector<State> work_;
};

inline std::vector<PlacePair> all_pairs() {
  std::vector<PlacePair> out;
  for (std::uint32_t a = 0; a < most_places; ++a)
    for (std::uint32_t b = a; b < most_places; ++b) out.emplace_back(place(a), place(b));
  return out;
}

/// As a model is before it is finished.
inline Model unfinished(Model model) {
  const auto own = [&](VariableIndex v) { return model.is_shared(v) ? v : first_local + (v - model.shared_count()); };
  for (Thread& thread : model.threads)
    for (Point& point : thread.points) {
      point.is_loop_head = false;
      point.live.clear();
      for (Edge& edge : point.edges)
        for (Act& act : edge.acts) rename_variables(act, own);
    }
  model.slots = 0;
  return model;
}

}  // namespace heddle::judge::transaction
