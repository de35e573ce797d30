// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What acts read and change, which of a thread's own values are still wanted somewhere, and which locks it holds.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "judge/thread_graphs/model.h"

namespace heddle::judge::transaction {

template <class Each>
void each_variable(const LinearForm& form, const Each& visit) {
  for (const numeric::LinearTerm& term : form.terms) visit(term.variable);
}

/// The variable that the act changes, if it changes one.
[[nodiscard]] inline const VariableIndex* target_of(const Act& act) {
  if (const Assign* assign = std::get_if<Assign>(&act)) return &assign->target;
  if (const Forget* forget = std::get_if<Forget>(&act)) return &forget->target;
  return nullptr;
}

/// What it reads.
template <class Each>
void each_read(const Act& act, const Each& visit) {
  if (const Assign* assign = std::get_if<Assign>(&act)) each_variable(assign->form, visit);
  if (const Guard* guard = std::get_if<Guard>(&act)) {
    each_variable(guard->left, visit);
    each_variable(guard->right, visit);
  } else if (const Visit* place = std::get_if<Visit>(&act); place != nullptr && place->address) {
    each_variable(*place->address, visit);
  }
}

/// Every form in it, to be changed.
template <class Change>
void each_form(Act& act, const Change& change) {
  if (Assign* assign = std::get_if<Assign>(&act)) change(assign->form);
  if (Guard* guard = std::get_if<Guard>(&act)) {
    change(guard->left);
    change(guard->right);
  } else if (Visit* place = std::get_if<Visit>(&act); place != nullptr && place->address) {
    change(*place->address);
  }
}

/// Shared variables that it reads or changes.
template <class Each>
void each_shared(const Model& model, const Act& act, const Each& visit) {
  if (const VariableIndex* target = target_of(act); target != nullptr && model.is_shared(*target)) visit(*target);
  each_read(act, [&](VariableIndex v) {
    if (model.is_shared(v)) visit(v);
  });
}
[[nodiscard]] inline bool touches_shared(const Model& model, const Act& act) {
  bool touches = false;
  each_shared(model, act, [&](VariableIndex) { touches = true; });
  return touches;
}
/// Those that some act changes.
[[nodiscard]] std::set<VariableIndex> changed_variables(const Model& model);

/// Each variable in it is called `name(variable)` from now on.
template <class Name>
void rename_variables(Act& act, const Name& name) {
  each_form(act, [&](LinearForm& form) {
    LinearForm out = LinearForm::number(form.constant);
    for (const numeric::LinearTerm& term : form.terms) (void)out.add(name(term.variable), term.factor);
    form = std::move(out);
  });
  if (Assign* assign = std::get_if<Assign>(&act)) assign->target = name(assign->target);
  if (Forget* forget = std::get_if<Forget>(&act)) forget->target = name(forget->target);
}

/// What variables are known to be.
using Values = std::map<VariableIndex, LinearForm>;
/// With these in place of the variables; as it is, if a number would not fit.
[[nodiscard]] LinearForm with_values(const LinearForm& form, const Values& values);

/// Nobody takes these any more, or gives them back.
void drop_locks(Model& model, const std::set<LockIndex>& locks);

using Live = std::set<VariableIndex>;

/// What is wanted before the acts, if `live` is behind them. An act whose result nobody wants asks for nothing.
/// `define(variable, live behind)` is told of every result that is wanted.
template <class Define>
Live before(const Model& model, const Edge& edge, Live live, const Define& define) {
  for (auto act = edge.acts.rbegin(); act != edge.acts.rend(); ++act) {
    const VariableIndex* target = target_of(*act);
    if (target != nullptr && !model.is_shared(*target)) {
      if (!live.contains(*target)) continue;
      define(*target, live);
      live.erase(*target);
    }
    each_read(*act, [&](VariableIndex v) {
      if (!model.is_shared(v)) live.insert(v);
    });
  }
  return live;
}

/// What holds at each point of a thread, whichever way it came; none: nobody comes there. `pass(fact, edge)` makes it
/// what holds behind the edge, `meet(there, fact)` keeps what holds on both ways, and says whether that changed.
template <class Fact, class Pass, class Meet>
[[nodiscard]] std::vector<std::optional<Fact>> on_all_ways(const Thread& thread, Fact first, const Pass& pass,
                                                           const Meet& meet) {
  std::vector<std::optional<Fact>> out(thread.points.size());
  std::vector<PointIndex> work{Thread::begin};
  out[Thread::begin] = std::move(first);
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    for (const Edge& edge : thread.points[at].edges) {
      Fact fact = *out[at];
      pass(fact, edge);
      std::optional<Fact>& there = out[edge.to];
      if (there && !meet(*there, fact)) continue;
      if (!there) there = std::move(fact);
      work.push_back(edge.to);
    }
  }
  return out;
}

/// Locks that are held, and whether others may hold them beside.
using Holding = std::map<LockIndex, bool>;
void take_or_give(Holding& held, const Act& act);
/// Those that the thread surely has at its points, each the same way.
[[nodiscard]] std::vector<std::optional<Holding>> surely_held(const Thread& thread);

/// Points of main at which it has not started anybody.
[[nodiscard]] std::vector<bool> points_before_starts(const Thread& main);

/// By point.
[[nodiscard]] std::vector<Live> live_values(const Model& model, const Thread& thread);

/// Those whose results nobody wants go. `wanted`: behind the edge.
void drop_dead_acts(const Model& model, Edge& edge, Live wanted);
void drop_dead_acts(const Model& model, Thread& thread);

}  // namespace heddle::judge::transaction
