// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/one_hot.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "judge/thread_graphs/acts.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::size_t most_numbers = 6;                  // of one variable
constexpr std::int64_t highest = std::int64_t{1} << 31;  // of numbers and factors: their products fit

/// By number: the variable that says whether it is that one.
using Signs = std::map<std::int64_t, VariableIndex>;

/// The numbers of each variable that is nothing else.
std::map<VariableIndex, std::set<std::int64_t>> few_numbers(Model& model) {
  std::map<VariableIndex, std::set<std::int64_t>> out;
  std::set<VariableIndex> others;
  for (const Thread& thread : model.threads)
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts) {
          const VariableIndex* target = target_of(act);
          if (target == nullptr || !model.is_shared(*target)) continue;
          const Assign* assign = std::get_if<Assign>(&act);
          if (assign != nullptr && assign->form.terms.empty() && assign->range.contains(assign->form.constant))
            out[*target].insert(assign->form.constant);
          else
            others.insert(*target);
        }
  const auto note_factors = [&](LinearForm& form) {
    for (const numeric::LinearTerm& term : form.terms)
      if (term.factor <= -highest || term.factor >= highest) others.insert(term.variable);
  };
  for (Thread& thread : model.threads)
    for (Point& point : thread.points)
      for (Edge& edge : point.edges)
        for (Act& act : edge.acts) each_form(act, note_factors);
  for (auto& [v, numbers] : out) {
    const auto initial = model.shared[v].initial;
    if (initial) numbers.insert(*initial);
    const bool is_sign = numbers == std::set<std::int64_t>{0, 1};
    if (!initial || is_sign || numbers.size() < 2 || numbers.size() > most_numbers) others.insert(v);
    if (*numbers.begin() <= -highest || *numbers.rbegin() >= highest) others.insert(v);
  }
  std::erase_if(out, [&](const auto& one) { return others.contains(one.first); });
  return out;
}

/// Signs times numbers, which is what the variable is.
LinearForm number_of(const Signs& signs) {
  LinearForm out;
  for (const auto& [number, sign] : signs) (void)out.add(sign, number);
  return out;
}

/// What the form is if the variable is that number; none: it has others, or does not fit.
std::optional<std::int64_t> value(const LinearForm& form, VariableIndex variable, std::int64_t number) {
  const LinearForm out = with_values(form, {{variable, LinearForm::number(number)}});
  return out.terms.empty() ? std::optional(out.constant) : std::nullopt;
}

class TakingApart {
 public:
  explicit TakingApart(Model& model) : model_(model) {
    for (const auto& [v, numbers] : few_numbers(model))
      for (const std::int64_t number : numbers) {
        signs_[v][number] = model.shared_count();
        const std::string name = model.shared[v].name + " is " + std::to_string(number);
        model.shared.push_back({name, model.shared[v].initial == number ? 1 : 0, Interval{0, 1}});
      }
    for (const auto& [v, signs] : signs_) {
      values_[v] = number_of(signs);
      model.shared[v].initial.reset();  // it is not written any more
    }
  }

  bool run() {
    if (signs_.empty()) return false;
    for (Thread& thread : model_.threads)
      for (Point& point : thread.points) std::erase_if(point.edges, [&](Edge& edge) { return !rewrite(edge); });
    return true;
  }

 private:
  /// False: nobody takes it.
  bool rewrite(Edge& edge) {
    std::vector<Act> acts;
    for (Act& act : edge.acts) {
      if (const Guard* guard = std::get_if<Guard>(&act)) {
        if (const auto variable = only_variable(*guard)) {
          if (!rewrite(*guard, *variable, acts)) return false;
          continue;
        }
      } else if (const Assign* assign = std::get_if<Assign>(&act);
                 assign != nullptr && signs_.contains(assign->target)) {
        for (const auto& [number, sign] : signs_.at(assign->target))
          acts.emplace_back(set(sign, number == assign->form.constant ? 1 : 0));
        continue;
      }
      each_form(act, [&](LinearForm& form) { form = with_values(form, values_); });
      acts.push_back(std::move(act));
    }
    edge.acts = std::move(acts);
    return true;
  }

  /// The one that the guard reads, if it reads nothing else.
  [[nodiscard]] std::optional<VariableIndex> only_variable(const Guard& guard) const {
    std::set<VariableIndex> read;
    each_read(guard, [&](VariableIndex v) { read.insert(v); });
    if (read.size() != 1 || !signs_.contains(*read.begin())) return std::nullopt;
    for (const auto& [number, sign] : signs_.at(*read.begin()))
      if (!value(guard.left, *read.begin(), number) || !value(guard.right, *read.begin(), number)) return std::nullopt;
    return *read.begin();
  }

  bool rewrite(const Guard& guard, VariableIndex variable, std::vector<Act>& acts) const {
    std::vector<VariableIndex> possible;
    for (const auto& [number, sign] : signs_.at(variable)) {
      if (holds(guard.predicate, *value(guard.left, variable, number), *value(guard.right, variable, number)))
        possible.push_back(sign);
      else
        acts.emplace_back(is(sign, 0));
    }
    if (possible.size() == 1) acts.emplace_back(is(possible.front(), 1));
    return !possible.empty();
  }

  static Act set(VariableIndex sign, std::int64_t to) {
    return Assign{sign, LinearForm::number(to), Interval{0, 1}, false};
  }
  static Act is(VariableIndex sign, std::int64_t what) {
    return Guard{Predicate::Eq, LinearForm::variable(sign), LinearForm::number(what)};
  }

  Model& model_;
  std::map<VariableIndex, Signs> signs_;
  Values values_;
};

}  // namespace

bool take_numbers_apart(Model& model) { return TakingApart(model).run(); }

}  // namespace heddle::judge::transaction
