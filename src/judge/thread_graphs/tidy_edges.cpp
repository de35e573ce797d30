// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/tidy_edges.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "judge/thread_graphs/acts.h"
#include "numeric/box.h"

namespace heddle::judge::transaction {

namespace {

bool mentions(const LinearForm& form, VariableIndex variable) {
  return std::ranges::any_of(form.terms, [&](const numeric::LinearTerm& term) { return term.variable == variable; });
}

bool reads(const Act& act, VariableIndex variable) {
  bool out = false;
  each_read(act, [&](VariableIndex v) { out = out || v == variable; });
  return out;
}

class Tidier {
 public:
  Tidier(const Model& model, Thread& thread, bool are_ruly) : model_(model), thread_(thread), are_ruly_(are_ruly) {
    find_ranges();
  }

  void run() {
    for (Point& point : thread_.points)
      for (Edge& edge : point.edges) put_values_in(edge);
    const std::vector<Live> live = live_values(model_, thread_);
    for (Point& point : thread_.points)
      for (Edge& edge : point.edges) drop_guards_of_anything(edge, live[edge.to]);
    drop_dead_acts(model_, thread_);
    for (PointIndex p = 0; p < thread_.points.size(); ++p) {
      std::vector<Edge>& edges = thread_.points[p].edges;
      std::erase_if(edges, [&](const Edge& edge) { return edge.to == p && does_nothing(edge); });
      drop_narrower(edges);
    }
  }

 private:
  void find_ranges() {
    for (const Point& point : thread_.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts) {
          const Assign* assign = std::get_if<Assign>(&act);
          const Forget* forget = std::get_if<Forget>(&act);
          if (assign == nullptr && forget == nullptr) continue;
          const Interval range = assign != nullptr ? assign->range : forget->range;
          Interval& all = ranges_.try_emplace(*target_of(act), range).first->second;
          all = join(all, range);
        }
    const std::vector<Live> live = live_values(model_, thread_);
    for (const VariableIndex v : live[Thread::begin]) ranges_[v] = Interval::of_width(64);
  }
  /// What the variable can be, wherever it is read.
  [[nodiscard]] Interval range(VariableIndex v) const {
    if (model_.is_shared(v)) return model_.shared[v].range;
    const auto it = ranges_.find(v);
    return it == ranges_.end() ? Interval::of_width(64) : it->second;
  }
  [[nodiscard]] bool stays_inside(const Assign& assign) const {
    if (!assign.wraps) return true;
    const LinearForm& form = assign.form;
    if (form.constant == 0 && form.terms.size() == 1 && form.terms[0].factor == 1)
      return range(form.terms[0].variable).leq(assign.range);
    const Interval all = numeric::range_of_form(form, [&](VariableIndex v) { return range(v); });
    return all.low != numeric::no_low && all.high != numeric::no_high && all.leq(assign.range);
  }

  void put_values_in(Edge& edge) const {
    Values known;
    std::map<VariableIndex, Assign> wrapped;  // what was brought into a width
    for (Act& act : edge.acts) {
      each_form(act, [&](LinearForm& form) { form = with_values(form, known); });
      if (Assign* assign = std::get_if<Assign>(&act)) put_wrapped_value_in(*assign, wrapped);
      const VariableIndex* target = target_of(act);
      if (target == nullptr) continue;
      const VariableIndex changed = *target;
      std::erase_if(known, [&](const auto& one) { return one.first == changed || mentions(one.second, changed); });
      std::erase_if(wrapped,
                    [&](const auto& one) { return one.first == changed || mentions(one.second.form, changed); });
      const Assign* assign = std::get_if<Assign>(&act);
      if (assign == nullptr || model_.is_shared(changed) || mentions(assign->form, changed)) continue;
      if (stays_inside(*assign))
        known[changed] = assign->form;
      else
        wrapped[changed] = *assign;
    }
  }
  static void put_wrapped_value_in(Assign& assign, const std::map<VariableIndex, Assign>& wrapped) {
    const LinearForm& form = assign.form;
    if (form.constant != 0 || form.terms.size() != 1 || form.terms[0].factor != 1) return;
    const auto value = wrapped.find(form.terms[0].variable);
    if (value == wrapped.end() || !value->second.range.leq(assign.range)) return;
    const VariableIndex target = assign.target;
    assign = value->second;
    assign.target = target;
  }

  /// Of a value that may be anything, and is asked for by guards alone.
  void drop_guards_of_anything(Edge& edge, const Live& behind) const {
    for (std::size_t k = 0; k < edge.acts.size(); ++k) {
      const Forget* forget = std::get_if<Forget>(&edge.acts[k]);
      if (forget == nullptr || model_.is_shared(forget->target)) continue;
      const VariableIndex v = forget->target;
      std::set<std::size_t> guards;
      bool is_wanted = false, is_over = false;
      for (std::size_t next = k + 1; next < edge.acts.size() && !is_over; ++next) {
        const Act& act = edge.acts[next];
        if (reads(act, v)) {
          if (std::holds_alternative<Guard>(act))
            guards.insert(next);
          else
            is_wanted = true;
        }
        if (const VariableIndex* target = target_of(act)) is_over = *target == v;
      }
      if (is_wanted || (!is_over && behind.contains(v))) continue;
      for (auto it = guards.rbegin(); it != guards.rend(); ++it)
        edge.acts.erase(edge.acts.begin() + static_cast<std::ptrdiff_t>(*it));
    }
  }

  /// Nobody can tell whether the step was taken.
  [[nodiscard]] bool does_nothing(const Edge& edge) const {
    std::set<LockIndex> taken;
    for (const Act& act : edge.acts) {
      if (const Take* take = std::get_if<Take>(&act)) {
        if (!are_ruly_) return false;  // that the thread has it already has to be seen
        taken.insert(take->lock);
      } else if (const Give* give = std::get_if<Give>(&act)) {
        if (taken.erase(give->lock) == 0) return false;
      } else if (!std::holds_alternative<Guard>(act) && !std::holds_alternative<Join>(act)) {
        return false;
      }
    }
    return taken.empty();
  }

  /// Whoever can take `narrow` can take `wide` too, which does the same.
  [[nodiscard]] static bool is_narrower(const Edge& narrow, const Edge& wide) {
    if (narrow.to != wide.to || narrow.acts.size() < wide.acts.size()) return false;
    std::size_t k = 0;
    for (const Act& act : narrow.acts) {
      if (k < wide.acts.size() && act == wide.acts[k])
        ++k;
      else if (!std::holds_alternative<Guard>(act))
        return false;
    }
    return k == wide.acts.size();
  }
  static void drop_narrower(std::vector<Edge>& edges) {
    std::vector<bool> goes(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i)
      for (std::size_t j = 0; j < edges.size() && !goes[i]; ++j)
        goes[i] = i != j && !goes[j] && is_narrower(edges[i], edges[j]);
    std::vector<Edge> kept;
    for (std::size_t i = 0; i < edges.size(); ++i)
      if (!goes[i]) kept.push_back(std::move(edges[i]));
    edges = std::move(kept);
  }

  const Model& model_;
  Thread& thread_;
  bool are_ruly_;
  std::map<VariableIndex, Interval> ranges_;  ///< of the thread's own
};

}  // namespace

void tidy_edges(const Model& model, Thread& thread, bool are_ruly) { Tidier(model, thread, are_ruly).run(); }

}  // namespace heddle::judge::transaction
