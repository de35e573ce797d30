// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/settled_variables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/reduce_threads.h"
#include "judge/thread_graphs/seen_by_two.h"

namespace heddle::judge::transaction {

namespace {

class Settled {
 public:
  Settled(const Model& model, const std::set<VariableIndex>& arguments)
      : model_(model),
        arguments_(arguments),
        alone_(points_before_starts(model.threads.front())),
        ever_(changed_variables(model)) {
    for (ThreadIndex t = 0; t < model.threads.size(); ++t)
      for (PointIndex p = 0; p < model.threads[t].points.size(); ++p)
        for (const Edge& edge : model.threads[t].points[p].edges)
          for (const Act& act : edge.acts)
            if (const VariableIndex* target = target_of(act); target != nullptr && model.is_shared(*target)) {
              if (t != 0 || !alone_[p]) later_.insert(*target);
            }
  }

  [[nodiscard]] Values found() const {
    Values out = at_starts();
    for (const auto& [variable, form] : handed_over()) out.emplace(variable, form);
    return out;
  }

 private:
  /// A number, or a distance from what nobody ever changes.
  [[nodiscard]] bool is_fixed(const LinearForm& form) const {
    return std::ranges::all_of(form.terms, [&](const numeric::LinearTerm& term) {
      return model_.is_shared(term.variable) && !ever_.contains(term.variable);
    });
  }

  void apply(const Act& act, Values& values) const {
    const VariableIndex* target = target_of(act);
    if (target == nullptr) return;
    const Assign* assign = std::get_if<Assign>(&act);
    const LinearForm form = assign != nullptr ? with_values(assign->form, values) : LinearForm();
    const bool is_known = assign != nullptr && is_fixed(form) &&
                          (form.terms.empty() ? assign->range.contains(form.constant) : !assign->wraps);
    values.erase(*target);
    if (is_known) values.emplace(*target, form);
  }

  /// What main has made of variables that nobody writes afterwards, wherever it starts somebody; those that are not
  /// there may be anything.
  [[nodiscard]] Values at_starts() const {
    const Thread& main = model_.threads.front();
    Values first;
    for (VariableIndex v = 0; v < model_.shared_count(); ++v)
      if (const auto initial = model_.shared[v].initial) first.emplace(v, LinearForm::number(*initial));
    std::vector<std::optional<Values>> at(main.points.size());
    at[Thread::begin] = first;
    std::vector<PointIndex> work{Thread::begin};
    std::optional<Values> out;
    const auto meet = [](std::optional<Values>& known, const Values& other) {
      if (!known) {
        known = other;
        return true;
      }
      return std::erase_if(*known, [&](const auto& one) {
               const auto same = other.find(one.first);
               return same == other.end() || !(same->second == one.second);
             }) != 0;
    };
    while (!work.empty()) {
      const PointIndex p = work.back();
      work.pop_back();
      for (const Edge& edge : main.points[p].edges) {
        Values values = *at[p];
        for (const Act& act : edge.acts) {
          if (std::holds_alternative<Start>(act)) meet(out, values);
          apply(act, values);
        }
        if (alone_[edge.to] && meet(at[edge.to], values)) work.push_back(edge.to);
      }
    }
    if (!out) return {};
    std::erase_if(*out, [&](const auto& one) { return !model_.is_shared(one.first) || later_.contains(one.first); });
    return *out;
  }

  [[nodiscard]] Values handed_over() const {
    std::map<VariableIndex, std::optional<LinearForm>> all;
    for (const Thread& thread : model_.threads)
      for (const Point& point : thread.points)
        for (const Edge& edge : point.edges)
          for (const Act& act : edge.acts) {
            const VariableIndex* target = target_of(act);
            if (target == nullptr || !arguments_.contains(*target)) continue;
            const Assign* assign = std::get_if<Assign>(&act);
            const bool is_known = assign != nullptr && is_fixed(assign->form);
            const auto form = is_known ? std::optional(assign->form) : std::nullopt;
            const auto [known, is_new] = all.try_emplace(*target, form);
            if (!is_new && known->second != form) known->second.reset();
          }
    Values out;
    for (const auto& [variable, form] : all)
      if (form) out.emplace(variable, *form);
    return out;
  }

  const Model& model_;
  const std::set<VariableIndex>& arguments_;
  std::vector<bool> alone_;
  std::set<VariableIndex> ever_, later_;  ///< changed at all, or when main is not alone
};

}  // namespace

void replace_settled_variables(Model& model, const std::set<VariableIndex>& arguments) {
  constexpr int rounds = 3;  // one may be made of another
  for (int round = 0; round < rounds; ++round) {
    split_main_by_constants(model);
    const Values values = Settled(model, arguments).found();
    if (values.empty()) return;
    const std::vector<bool> alone = points_before_starts(model.threads.front());
    for (ThreadIndex t = 0; t < model.threads.size(); ++t)
      for (PointIndex p = 0; p < model.threads[t].points.size(); ++p) {
        if (t == 0 && alone[p]) continue;
        for (Edge& edge : model.threads[t].points[p].edges)
          for (Act& act : edge.acts) each_form(act, [&](LinearForm& form) { form = with_values(form, values); });
      }
  }
}

void take_arguments_at_begin(Model& model, const std::set<VariableIndex>& arguments) {
  const std::vector<bool> several = that_are_several(model);
  for (ThreadIndex t = 1; t < model.threads.size(); ++t) {
    if (!several[t]) continue;
    Thread& thread = model.threads[t];
    std::map<VariableIndex, VariableIndex> own;  // by argument
    VariableIndex next = first_local;
    const auto look_at = [&](VariableIndex v) {
      if (!model.is_shared(v)) next = std::max(next, v + 1);
      if (arguments.contains(v)) own.try_emplace(v);
    };
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts) {
          if (const VariableIndex* target = target_of(act)) look_at(*target);
          each_read(act, look_at);
        }
    if (own.empty()) continue;
    std::vector<Act> takes;
    for (auto& [argument, taken] : own) {
      taken = next++;
      takes.emplace_back(Assign{taken, LinearForm::variable(argument), model.shared[argument].range, false});
    }
    const auto behind = static_cast<PointIndex>(thread.points.size());
    thread.points.push_back(thread.points[Thread::begin]);
    for (Point& point : thread.points)
      for (Edge& edge : point.edges) {
        if (edge.to == Thread::begin) edge.to = behind;
        for (Act& act : edge.acts)
          rename_variables(act, [&](VariableIndex v) { return own.contains(v) ? own.at(v) : v; });
      }
    thread.points[Thread::begin].edges = {{behind, std::move(takes)}};
  }
}

}  // namespace heddle::judge::transaction
