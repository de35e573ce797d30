// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/acts.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heddle::judge::transaction {

std::set<VariableIndex> changed_variables(const Model& model) {
  std::set<VariableIndex> out;
  for (const Thread& thread : model.threads)
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts)
          if (const VariableIndex* target = target_of(act); target != nullptr && model.is_shared(*target))
            out.insert(*target);
  return out;
}

LinearForm with_values(const LinearForm& form, const Values& values) {
  std::optional<LinearForm> out = LinearForm::number(form.constant);
  for (const numeric::LinearTerm& term : form.terms) {
    const auto value = values.find(term.variable);
    out =
        sum(std::move(*out), value == values.end() ? LinearForm::variable(term.variable) : value->second, term.factor);
    if (!out) return form;
  }
  return *out;
}

void drop_locks(Model& model, const std::set<LockIndex>& locks) {
  const auto goes = [&](const Act& act) {
    const Take* take = std::get_if<Take>(&act);
    const Give* give = std::get_if<Give>(&act);
    return (take != nullptr && locks.contains(take->lock)) || (give != nullptr && locks.contains(give->lock));
  };
  for (Thread& thread : model.threads)
    for (Point& point : thread.points)
      for (Edge& edge : point.edges) std::erase_if(edge.acts, goes);
}

std::vector<Live> live_values(const Model& model, const Thread& thread) {
  std::vector<Live> live(thread.points.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = thread.points.size(); p-- > 0;) {
      Live all;
      for (const Edge& edge : thread.points[p].edges)
        all.merge(before(model, edge, live[edge.to], [](VariableIndex, const Live&) {}));
      if (all == live[p]) continue;
      live[p] = std::move(all);
      changed = true;
    }
  }
  return live;
}

void take_or_give(Holding& held, const Act& act) {
  if (const Take* take = std::get_if<Take>(&act)) held[take->lock] = take->is_shared;
  if (const Give* give = std::get_if<Give>(&act)) held.erase(give->lock);
}

std::vector<std::optional<Holding>> surely_held(const Thread& thread) {
  const auto pass = [](Holding& held, const Edge& edge) {
    for (const Act& act : edge.acts) take_or_give(held, act);
  };
  const auto meet = [](Holding& there, const Holding& held) {
    return std::erase_if(there, [&](const auto& one) {
             const auto same = held.find(one.first);
             return same == held.end() || same->second != one.second;
           }) > 0;
  };
  return on_all_ways(thread, Holding{}, pass, meet);
}

std::vector<bool> points_before_starts(const Thread& main) {
  std::vector<bool> alone(main.points.size(), true);
  std::vector<PointIndex> work;
  const auto leave = [&](PointIndex p) {
    if (alone[p]) work.push_back(p);
    alone[p] = false;
  };
  for (const Point& point : main.points)
    for (const Edge& edge : point.edges)
      if (std::ranges::any_of(edge.acts, [](const Act& act) { return std::holds_alternative<Start>(act); }))
        leave(edge.to);
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    for (const Edge& edge : main.points[at].edges) leave(edge.to);
  }
  return alone;
}

void drop_dead_acts(const Model& model, Edge& edge, Live wanted) {
  std::vector<Act> kept;
  for (auto act = edge.acts.rbegin(); act != edge.acts.rend(); ++act) {
    const VariableIndex* target = target_of(*act);
    if (target != nullptr && !model.is_shared(*target) && !wanted.contains(*target)) continue;
    const Edge one{edge.to, {*act}};
    wanted = before(model, one, std::move(wanted), [](VariableIndex, const Live&) {});
    kept.push_back(std::move(*act));
  }
  std::ranges::reverse(kept);
  edge.acts = std::move(kept);
}

void drop_dead_acts(const Model& model, Thread& thread) {
  const std::vector<Live> live = live_values(model, thread);
  for (Point& point : thread.points)
    for (Edge& edge : point.edges) drop_dead_acts(model, edge, live[edge.to]);
}

}  // namespace heddle::judge::transaction
