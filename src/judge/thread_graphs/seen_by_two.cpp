// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/seen_by_two.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/reduce_threads.h"

namespace heddle::judge::transaction {

namespace {

constexpr VariableIndex locals_of_one = 0x00100000;  ///< the others' own values have numbers apart
constexpr std::size_t most_regions = 12;

/// What a thread made of a variable, as far as it is the same on all ways.
struct Made {
  enum class Kind : std::uint8_t { Nothing, Number, Sum, Various };
  Kind kind = Kind::Nothing;
  std::int64_t number = 0;
  friend auto operator<=>(const Made&, const Made&) = default;
};

Made after(Made made, const Act& act, VariableIndex variable) {
  const VariableIndex* target = target_of(act);
  if (target == nullptr || *target != variable) return made;
  const Assign* assign = std::get_if<Assign>(&act);
  if (assign == nullptr) return {Made::Kind::Various};
  const LinearForm& form = assign->form;
  if (form.terms.empty()) return {Made::Kind::Number, form.constant};
  const bool adds = form.terms.size() == 1 && form.terms[0] == numeric::LinearTerm{variable, 1};
  if (!adds || (made.kind != Made::Kind::Nothing && made.kind != Made::Kind::Sum)) return {Made::Kind::Various};
  constexpr std::int64_t farthest = 1 << 20;
  const std::int64_t all = made.number + form.constant;
  if (form.constant < -farthest || form.constant > farthest || all < -farthest || all > farthest)
    return {Made::Kind::Various};
  return all == 0 ? Made{} : Made{Made::Kind::Sum, all};
}

/// By point; none: nobody comes there.
std::vector<std::optional<Made>> made_of(const Thread& thread, VariableIndex variable) {
  const auto pass = [&](Made& made, const Edge& edge) {
    for (const Act& act : edge.acts) made = after(made, act, variable);
  };
  const auto meet = [](Made& there, const Made& made) {
    if (there == made || there.kind == Made::Kind::Various) return false;
    there = {Made::Kind::Various};
    return true;
  };
  return on_all_ways(thread, Made{}, pass, meet);
}

/// A variable, and what a thread made of it.
struct Counted {
  VariableIndex variable = 0;
  Made made;
  VariableIndex count = 0;  ///< the shared variable that counts who is in it
  std::optional<std::int64_t> most;
};

class TwoSee {
 public:
  TwoSee(const Model& model, ThreadIndex first, ThreadIndex second)
      : model_(model), first_(first), second_(second), several_(that_are_several(model)) {}

  std::optional<Model> run() {
    out_.shared = model_.shared;
    out_.locks = model_.locks;
    find_members();
    find_starters();
    if (first_ == second_ && !several_[first_]) return std::nullopt;
    find_regions();
    const auto fresh_points = static_cast<PointIndex>(model_.threads[0].points.size());
    out_.threads.push_back(told_apart(model_.threads[0]));
    number_[0] = 0;
    add_explicit(first_);
    add_explicit(second_);
    const auto others = static_cast<ThreadIndex>(out_.threads.size());
    if (first_ != 0 && second_ != 0) drop_visits(out_.threads[0]);
    for (ThreadIndex t = 0; t < others; ++t) settle_starts(out_.threads[t], t == 0 ? fresh_points : 0, others);
    skip_silent_points(out_.threads[0]);
    if (!members_.empty()) add_others();
    return std::move(out_);
  }

 private:
  void find_members() {
    for (ThreadIndex t = 1; t < model_.threads.size(); ++t)
      if ((t != first_ && t != second_) || several_[t]) members_.push_back(t);
  }
  void find_starters() {
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
      for (const Point& point : model_.threads[t].points)
        for (const Edge& edge : point.edges)
          for (const Act& act : edge.acts)
            if (const Start* start = std::get_if<Start>(&act)) starters_[start->thread].insert(t);
  }
  /// Somebody who is not there any more may start it: it begins with the others.
  [[nodiscard]] bool begins_with_others(ThreadIndex t) const {
    if (several_[t]) return true;
    const auto starters = starters_.find(t);
    return starters != starters_.end() && std::ranges::any_of(starters->second, [&](ThreadIndex by) {
             return by != 0 && by != first_ && by != second_;
           });
  }

  void add_explicit(ThreadIndex t) {
    if (t == 0) return;
    number_.try_emplace(t, static_cast<ThreadIndex>(out_.threads.size()));
    out_.threads.push_back(model_.threads[t]);
  }

  static void drop_visits(Thread& thread) {
    for (Point& point : thread.points)
      for (Edge& edge : point.edges)
        std::erase_if(edge.acts, [](const Act& act) { return std::holds_alternative<Visit>(act); });
  }

  /// Main before it has started anybody, and main behind that, which are different points from then on.
  static Thread told_apart(const Thread& main) {
    const auto count = static_cast<PointIndex>(main.points.size());
    const auto later = [&](PointIndex p) { return p < Thread::begin ? p : p + count; };
    Thread out = main;
    out.points.resize(std::size_t{2} * count);
    for (PointIndex p = Thread::begin; p < count; ++p) {
      for (Edge& edge : out.points[p].edges)
        if (starts_somebody(edge)) edge.to = later(edge.to);
      out.points[later(p)] = main.points[p];
      for (Edge& edge : out.points[later(p)].edges) edge.to = later(edge.to);
    }
    return out;
  }
  static bool starts_somebody(const Edge& edge) {
    return std::ranges::any_of(edge.acts, [](const Act& act) { return std::holds_alternative<Start>(act); });
  }

  /// Who starts whom, in the new numbers. Main lets the others begin when it starts somebody for the first time:
  /// `fresh_points`, so many, are before that.
  void settle_starts(Thread& thread, PointIndex fresh_points, ThreadIndex others) {
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (Edge& edge : thread.points[p].edges) {
        std::vector<Act> acts;
        bool is_first = p < fresh_points;
        for (Act& act : edge.acts) {
          if (const Start* start = std::get_if<Start>(&act)) {
            if (std::exchange(is_first, false)) begin_others(acts, others);
            const auto number = number_.find(start->thread);
            if (number == number_.end() || begins_with_others(start->thread)) continue;
            acts.emplace_back(Start{number->second});
          } else if (const Join* join = std::get_if<Join>(&act)) {
            const auto number = number_.find(join->thread);
            if (number == number_.end() || several_[join->thread]) continue;
            acts.emplace_back(Join{number->second});
          } else {
            acts.push_back(std::move(act));
          }
        }
        edge.acts = std::move(acts);
      }
  }
  void begin_others(std::vector<Act>& acts, ThreadIndex others) const {
    for (ThreadIndex t = 1; t < others; ++t)
      if (begins_with_others(original(t))) acts.emplace_back(Start{t});
    if (!members_.empty()) acts.emplace_back(Start{others});
  }
  [[nodiscard]] ThreadIndex original(ThreadIndex number) const { return first_ != 0 && number == 1 ? first_ : second_; }

  // The others

  void find_regions() {
    const std::set<VariableIndex> changed = changed_variables(model_);
    for (const VariableIndex v : changed) {
      std::map<Made, std::int64_t> found;  // by how many at most; -1: any number
      for (const ThreadIndex t : members_) {
        made_[{t, v}] = made_of(model_.threads[t], v);
        std::set<Made> here;
        for (const auto& made : made_[{t, v}])
          if (made && (made->kind == Made::Kind::Number || made->kind == Made::Kind::Sum)) here.insert(*made);
        for (const Made& made : here) {
          std::int64_t& most = found.try_emplace(made, 0).first->second;
          most = most < 0 || several_[t] ? -1 : most + 1;
        }
      }
      for (const auto& [made, most] : found) {
        if (regions_.size() == most_regions) return;
        const bool is_as_at_first = made.kind == Made::Kind::Number && model_.shared[v].initial == made.number;
        if (is_as_at_first) continue;  // whoever has it, nobody waits for that
        const auto count = static_cast<VariableIndex>(out_.shared.size());
        out_.shared.push_back({"the others that " + std::string(made.kind == Made::Kind::Sum ? "added " : "wrote ") +
                                   std::to_string(made.number) + " to " + model_.shared[v].name,
                               0, Interval{0, std::int64_t{1} << 40}});
        regions_.push_back({v, made, count, most < 0 ? std::nullopt : std::optional(most)});
      }
    }
  }

  void add_others() {
    Thread thread;
    thread.name = "the others";
    thread.points.resize(Thread::begin + 1);
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const Thread& member = model_.threads[members_[k]];
      const std::vector<std::optional<Holding>> held = surely_held(member);
      for (PointIndex p = Thread::begin; p < member.points.size(); ++p) {
        if (!held[p]) continue;
        for (const Edge& edge : member.points[p].edges)
          if (edge.to != Thread::exits) add_edge(thread, members_[k], p, edge, *held[p], k);
      }
    }
    merge_equal_points(thread);
    out_.threads.push_back(std::move(thread));
  }

  void add_edge(Thread& thread, ThreadIndex t, PointIndex from, const Edge& edge, Holding held, std::size_t k) {
    Edge made{Thread::begin, {}};
    bool matters = false;
    for (const auto& [lock, is_shared] : held) made.acts.emplace_back(Take{lock, is_shared});
    for (const Counted& region : regions_)
      if (is_in(region, t, from))
        made.acts.emplace_back(Guard{Predicate::Sge, LinearForm::variable(region.count), LinearForm::number(1)});
    // Nobody knows what its own values are there.
    std::set<VariableIndex> set_here, forgotten;
    std::vector<Act> acts;
    for (Act act : edge.acts) {
      if (std::holds_alternative<Visit>(act) || std::holds_alternative<Start>(act) || std::holds_alternative<Join>(act))
        continue;
      rename_variables(act, [&](VariableIndex v) {
        return model_.is_shared(v) ? v : v + static_cast<VariableIndex>(k) * locals_of_one;
      });
      each_read(act, [&](VariableIndex v) {
        if (!model_.is_shared(v) && !set_here.contains(v)) forgotten.insert(v);
      });
      if (const VariableIndex* target = target_of(act)) {
        matters = matters || model_.is_shared(*target);
        set_here.insert(*target);
      }
      take_or_give(held, act);
      acts.push_back(std::move(act));
    }
    for (const VariableIndex v : forgotten) made.acts.emplace_back(Forget{v, Interval::of_width(64)});
    made.acts.insert(made.acts.end(), acts.begin(), acts.end());
    for (const Counted& region : regions_) {
      const bool was = is_in(region, t, from), is = is_in(region, t, edge.to);
      if (was == is) continue;
      matters = true;
      if (is && region.most)
        made.acts.emplace_back(
            Guard{Predicate::Slt, LinearForm::variable(region.count), LinearForm::number(*region.most)});
      made.acts.emplace_back(
          Assign{region.count, LinearForm::variable(region.count, 1, is ? 1 : -1), Interval::of_width(64), false});
    }
    for (const auto& [lock, is_shared] : held) made.acts.emplace_back(Give{lock});
    if (matters) thread.points[Thread::begin].edges.push_back(std::move(made));
  }

  [[nodiscard]] bool is_in(const Counted& region, ThreadIndex t, PointIndex p) const {
    const auto& made = made_.at({t, region.variable})[p];
    return made && *made == region.made;
  }

  const Model& model_;
  ThreadIndex first_, second_;
  std::vector<bool> several_;
  std::vector<ThreadIndex> members_;
  std::map<ThreadIndex, std::set<ThreadIndex>> starters_;
  std::map<ThreadIndex, ThreadIndex> number_;  ///< new ones
  std::map<std::pair<ThreadIndex, VariableIndex>, std::vector<std::optional<Made>>> made_;
  std::vector<Counted> regions_;
  Model out_;
};

}  // namespace

std::vector<bool> that_are_several(const Model& model) {
  std::vector<bool> out = started_again(model);
  for (bool changed = true; changed;) {
    changed = false;
    for (ThreadIndex t = 0; t < model.threads.size(); ++t) {
      if (!out[t]) continue;
      for (const Point& point : model.threads[t].points)
        for (const Edge& edge : point.edges)
          for (const Act& act : edge.acts)
            if (const Start* start = std::get_if<Start>(&act); start != nullptr && !out[start->thread])
              out[start->thread] = changed = true;
    }
  }
  return out;
}

std::set<std::pair<ThreadIndex, ThreadIndex>> threads_that_meet(const Model& model, const PlacePair& pair) {
  std::set<ThreadIndex> at_first, at_second;
  for (ThreadIndex t = 0; t < model.threads.size(); ++t)
    for (const Point& point : model.threads[t].points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts)
          if (const Visit* visit = std::get_if<Visit>(&act)) {
            if (visit->place == pair.first) at_first.insert(t);
            if (visit->place == pair.second) at_second.insert(t);
          }
  const std::vector<bool> several = that_are_several(model);
  std::set<std::pair<ThreadIndex, ThreadIndex>> out;
  for (const ThreadIndex a : at_first)
    for (const ThreadIndex b : at_second)
      if (a != b || several[a]) out.insert(std::minmax(a, b));
  return out;
}

std::optional<Model> seen_by_two(const Model& model, ThreadIndex first, ThreadIndex second) {
  return TwoSee(model, first, second).run();
}

}  // namespace heddle::judge::transaction
