// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/transaction/trial.h"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

namespace heddle::judge::transaction {

namespace {

constexpr std::size_t most_choices = 4;    // for what may be any number
constexpr std::size_t most_begins = 16;    // ways to choose what stands in memory at first
constexpr std::int64_t between = 1 << 20;  // addresses of objects

struct State {
  Node node;
  std::vector<std::vector<std::int64_t>> numbers;  ///< by thread: the shared ones, which are the first's, and its own
  friend auto operator<=>(const State&, const State&) = default;
};

class Trial {
 public:
  Trial(const Model& model, const Product& product, std::size_t most_steps)
      : model_(model), product_(product), left_(most_steps) {}

  bool meets() {
    for (std::vector<std::int64_t>& shared : begins()) {
      State begin{product_.begin(), {}};
      begin.numbers.assign(model_.threads.size(), std::vector<std::int64_t>(model_.slots));
      begin.numbers.push_back(std::move(shared));
      enter(std::move(begin));
    }
    while (!found_ && !work_.empty() && left_ > 0) {
      const State* const state = work_.front();
      work_.pop_front();
      leave(*state);
    }
    return found_;
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> choices(Interval range) const {
    std::vector<std::int64_t> out;
    const auto add = [&](std::int64_t number) {
      if (out.size() < most_choices && range.contains(number) && !std::ranges::count(out, number))
        out.push_back(number);
    };
    add(0);
    add(1);
    for (const std::int64_t number : model_.thresholds) add(number);
    add(range.low);
    return out;
  }

  [[nodiscard]] std::vector<std::vector<std::int64_t>> begins() const {
    std::vector<std::vector<std::int64_t>> out(1);
    for (VariableIndex v = 0; v < model_.shared_count(); ++v) {
      const SharedVariable& variable = model_.shared[v];
      std::vector<std::int64_t> all{variable.initial.value_or(between * (std::int64_t{v} + 1))};
      if (!variable.initial && variable.range != Interval::of_width(64)) all = choices(variable.range);
      if (all.size() * out.size() > most_begins) all.resize(1);
      std::vector<std::vector<std::int64_t>> next;
      for (const std::vector<std::int64_t>& one : out)
        for (const std::int64_t number : all) {
          next.push_back(one);
          next.back().push_back(number);
        }
      out = std::move(next);
    }
    return out;
  }

  std::int64_t& number(State& state, ThreadIndex thread, VariableIndex v) const {
    return model_.is_shared(v) ? state.numbers.back()[v] : state.numbers[thread][v - model_.shared_count()];
  }
  /// None: it does not fit.
  [[nodiscard]] std::optional<std::int64_t> value(State& state, ThreadIndex thread, const LinearForm& form) const {
    numeric::Wide sum = form.constant;
    for (const numeric::LinearTerm& term : form.terms)
      sum += numeric::Wide{number(state, thread, term.variable)} * term.factor;
    const auto out = static_cast<std::int64_t>(sum);
    return out == sum ? std::optional(out) : std::nullopt;
  }

  void enter(State state) {
    const auto [it, is_new] = seen_.insert(std::move(state));
    if (!is_new) return;
    for (const Product::Meeting& meeting : product_.meetings(it->node)) found_ = found_ || meet_in_space(*it, meeting);
    work_.push_back(&*it);
  }

  [[nodiscard]] bool meet_in_space(State state, const Product::Meeting& meeting) const {
    if (!meeting.at_first->address || !meeting.at_second->address) return true;
    const auto a = value(state, meeting.first, *meeting.at_first->address);
    const auto b = value(state, meeting.second, *meeting.at_second->address);
    return a && b && *a < *b + static_cast<std::int64_t>(meeting.at_second->bytes) &&
           *b < *a + static_cast<std::int64_t>(meeting.at_first->bytes);
  }

  void leave(const State& state) {
    for (const ThreadIndex t : product_.movers(state.node)) {
      const Point& point = model_.threads[t].points[state.node[t].point];
      for (std::size_t e = 0; e < point.edges.size(); ++e) {
        if (product_.is_dead(t, state.node[t].point, e)) continue;
        if (left_ == 0 || found_) return;
        --left_;
        auto next = product_.follow(state.node, t, point.edges[e]);
        if (next && !Product::is_over(*next)) take({std::move(*next), state.numbers}, t, point.edges[e], 0);
      }
    }
  }

  /// The rest of the edge, from that act on.
  void take(State state, ThreadIndex thread, const Edge& edge, std::size_t from) {
    for (std::size_t k = from; k < edge.acts.size(); ++k) {
      const Act& act = edge.acts[k];
      if (const Guard* guard = std::get_if<Guard>(&act)) {
        const auto left = value(state, thread, guard->left), right = value(state, thread, guard->right);
        if (!left || !right || !holds(guard->predicate, *left, *right)) return;
      } else if (const Assign* assign = std::get_if<Assign>(&act)) {
        auto now = value(state, thread, assign->form);
        if (!now || !assign->range.contains(*now)) return;  // one that wraps around is not followed
        number(state, thread, assign->target) = *now;
      } else if (const Forget* forget = std::get_if<Forget>(&act)) {
        for (const std::int64_t choice : choices(forget->range)) {
          if (left_ == 0 || found_) return;
          --left_;  // an edge with many of these has as many ways as numbers to that power
          State other = state;
          number(other, thread, forget->target) = choice;
          take(std::move(other), thread, edge, k + 1);
        }
        return;
      }
    }
    // What a thread does not want any more tells no states apart.
    const PointIndex at = state.node[thread].point;
    if (at != LocalState::not_started) {
      const std::vector<VariableIndex>& live = model_.threads[thread].points[at].live;
      for (VariableIndex v = model_.shared_count(); v < model_.variables(); ++v)
        if (!std::ranges::binary_search(live, v)) number(state, thread, v) = 0;
    }
    enter(std::move(state));
  }

  const Model& model_;
  const Product& product_;
  std::size_t left_;
  std::set<State> seen_;
  std::deque<const State*> work_;
  bool found_ = false;
};

}  // namespace

bool meets_in_trial(const Model& model, const Product& product, std::size_t most_steps) {
  return Trial(model, product, most_steps).meets();
}

}  // namespace heddle::judge::transaction
