// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What acts read and change, and which of a thread's own values are still wanted somewhere.
#pragma once
#include <set>
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

/// Points of main at which it has not started anybody.
[[nodiscard]] std::vector<bool> points_before_starts(const Thread& main);

/// By point.
[[nodiscard]] std::vector<Live> live_values(const Model& model, const Thread& thread);

/// Those whose results nobody wants go. `wanted`: behind the edge.
void drop_dead_acts(const Model& model, Edge& edge, Live wanted);
void drop_dead_acts(const Model& model, Thread& thread);

}  // namespace heddle::judge::transaction
