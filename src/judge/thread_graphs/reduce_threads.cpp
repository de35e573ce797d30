// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/reduce_threads.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "judge/thread_graphs/acts.h"

namespace heddle::judge::transaction {

namespace {

/// What is known at a point: numbers, or distances from where an object lies, which stays.
class Splitter {
 public:
  /// `changed`: shared variables that are.
  Splitter(const Model& model, const Thread& thread, const std::set<VariableIndex>& changed,
           std::set<VariableIndex> followed)
      : model_(model),
        thread_(thread),
        changed_(changed),
        followed_(std::move(followed)),
        live_(live_values(model, thread)) {}

  /// None: it has too many points.
  std::optional<Thread> run() {
    const std::size_t most = 2 * thread_.points.size() + 400;
    Thread out;
    out.name = thread_.name;
    for (PointIndex fixed = 0; fixed <= Thread::begin; ++fixed) (void)number(fixed, {});
    for (std::size_t k = 0; k < names_.size(); ++k) {
      if (names_.size() > most) return std::nullopt;
      const auto [point, known] = names_[k];
      Point made;
      for (const Edge& edge : thread_.points[point].edges)
        if (auto next = follow(edge, known)) made.edges.push_back(std::move(*next));
      out.points.push_back(std::move(made));
    }
    return out;
  }

 private:
  PointIndex number(PointIndex point, Values known) {
    std::erase_if(known, [&](const auto& one) { return !live_[point].contains(one.first); });
    const auto [it, is_new] = numbers_.try_emplace({point, std::move(known)}, static_cast<PointIndex>(names_.size()));
    if (is_new) names_.push_back(it->first);
    return it->second;
  }

  /// A number, or so far behind an object.
  [[nodiscard]] bool is_fixed(const LinearForm& form) const {
    return std::ranges::all_of(form.terms, [&](const numeric::LinearTerm& term) {
      return model_.is_shared(term.variable) && !changed_.contains(term.variable);
    });
  }
  [[nodiscard]] static std::optional<bool> decided(const Guard& guard) {
    const auto difference = sum(guard.left, guard.right, -1);
    if (!difference || !difference->terms.empty()) return std::nullopt;
    const bool are_numbers = guard.left.terms.empty() && guard.right.terms.empty();
    const std::int64_t d = difference->constant;
    const auto bits = [](const LinearForm& form) { return static_cast<std::uint64_t>(form.constant); };
    switch (guard.predicate) {
      case Predicate::Eq: return d == 0;
      case Predicate::Ne: return d != 0;
      case Predicate::Slt: return d < 0;
      case Predicate::Sle: return d <= 0;
      case Predicate::Sgt: return d > 0;
      case Predicate::Sge: return d >= 0;
      default: break;
    }
    if (!are_numbers) return std::nullopt;
    switch (guard.predicate) {
      case Predicate::Ult: return bits(guard.left) < bits(guard.right);
      case Predicate::Ule: return bits(guard.left) <= bits(guard.right);
      case Predicate::Ugt: return bits(guard.left) > bits(guard.right);
      case Predicate::Uge: return bits(guard.left) >= bits(guard.right);
      default: return std::nullopt;
    }
  }
  /// An equation with one value in it says which it is.
  void learn(const Guard& guard, Values& known) const {
    if (guard.predicate != Predicate::Eq) return;
    const auto zero = sum(guard.left, guard.right, -1);
    if (!zero || zero->terms.size() != 1) return;
    const auto [variable, factor] = zero->terms.front();
    if (model_.is_shared(variable) || !followed_.contains(variable) || zero->constant % factor != 0) return;
    if (zero->constant == std::numeric_limits<std::int64_t>::min()) return;
    known[variable] = LinearForm::number(-(zero->constant / factor));
  }

  std::optional<Edge> follow(const Edge& edge, Values known) {
    Edge out;
    for (Act act : edge.acts) {
      each_form(act, [&](LinearForm& form) { form = with_values(form, known); });
      if (const Guard* guard = std::get_if<Guard>(&act)) {
        const auto holds = decided(*guard);
        if (holds == false) return std::nullopt;
        if (holds == true) continue;
        learn(*guard, known);
      }
      const VariableIndex* target = target_of(act);
      if (target != nullptr && followed_.contains(*target)) {
        const Assign* assign = std::get_if<Assign>(&act);
        const bool stays_inside = assign != nullptr && is_fixed(assign->form) &&
                                  (assign->form.terms.empty() ? assign->range.contains(assign->form.constant)
                                                              : !assign->wraps || assign->range == whole_);
        if (stays_inside) {
          known[*target] = assign->form;
          continue;
        }
        known.erase(*target);
      }
      out.acts.push_back(std::move(act));
    }
    out.to = number(edge.to, std::move(known));
    return out;
  }

  static constexpr Interval whole_ = Interval::of_width(64);
  const Model& model_;
  const Thread& thread_;
  const std::set<VariableIndex>& changed_;
  std::set<VariableIndex> followed_;
  std::vector<Live> live_;
  std::map<std::pair<PointIndex, Values>, PointIndex> numbers_;
  std::vector<std::pair<PointIndex, Values>> names_;
};

/// Values that some step makes a number or an address. `counts`: also those that are made of their own one.
std::set<VariableIndex> that_are_fixed(const Model& model, const Thread& thread, bool counts) {
  std::set<VariableIndex> out, counters;
  std::map<VariableIndex, std::set<VariableIndex>> made_of;
  for (const Point& point : thread.points)
    for (const Edge& edge : point.edges)
      for (const Act& act : edge.acts) {
        const VariableIndex* target = target_of(act);
        if (target == nullptr || model.is_shared(*target)) continue;
        out.insert(*target);
        each_read(act, [&](VariableIndex v) { made_of[*target].insert(v); });
      }
  if (counts) return out;
  for (const VariableIndex v : out) {
    std::set<VariableIndex> seen;
    std::vector<VariableIndex> work(made_of[v].begin(), made_of[v].end());
    while (!work.empty()) {
      const VariableIndex at = work.back();
      work.pop_back();
      if (at == v) counters.insert(v);
      if (seen.insert(at).second) work.insert(work.end(), made_of[at].begin(), made_of[at].end());
    }
  }
  for (const VariableIndex v : counters) out.erase(v);
  return out;
}

void split(const Model& model, Thread& thread, const std::set<VariableIndex>& changed, bool counts_too) {
  for (const bool counts : {true, false}) {
    if (counts && !counts_too) continue;
    auto made = Splitter(model, thread, changed, that_are_fixed(model, thread, counts)).run();
    if (!made) continue;
    thread = std::move(*made);
    return;
  }
}

}  // namespace

void split_by_constants(Model& model, bool counts) {
  const std::set<VariableIndex> changed = changed_variables(model);
  for (Thread& thread : model.threads) split(model, thread, changed, counts);
}

void split_main_by_constants(Model& model) { split(model, model.threads.front(), changed_variables(model), true); }

namespace {

/// Those that are left stay in their order.
void drop_unreached(Thread& thread) {
  std::vector<bool> reached(thread.points.size());
  std::vector<PointIndex> work{Thread::begin}, number(thread.points.size());
  for (PointIndex p = 0; p <= Thread::begin; ++p) reached[p] = true;
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    for (const Edge& edge : thread.points[at].edges) {
      if (!reached[edge.to]) work.push_back(edge.to);
      reached[edge.to] = true;
    }
  }
  PointIndex count = 0;
  for (PointIndex p = 0; p < reached.size(); ++p) {
    number[p] = count;
    if (!reached[p]) continue;
    if (count != p) thread.points[count] = std::move(thread.points[p]);
    ++count;
  }
  thread.points.resize(count);
  for (Point& point : thread.points)
    for (Edge& edge : point.edges) edge.to = number[edge.to];
}

}  // namespace

void skip_silent_points(Thread& thread) {
  std::vector<PointIndex> leads(thread.points.size());
  for (PointIndex p = 0; p < leads.size(); ++p) leads[p] = p;
  const auto end = [&](PointIndex p) {
    while (leads[p] != p) p = leads[p] = leads[leads[p]];
    return p;
  };
  const auto only_way = [&](PointIndex p) -> std::optional<PointIndex> {
    std::optional<PointIndex> out;
    for (const Edge& edge : thread.points[p].edges) {
      const PointIndex to = end(edge.to);
      if (!edge.acts.empty() || to < Thread::begin || to == p || (out && *out != to)) return std::nullopt;
      out = to;
    }
    return out;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto p = static_cast<PointIndex>(leads.size()); p-- > Thread::begin;) {
      if (leads[p] != p) continue;
      const auto to = only_way(p);
      if (!to) continue;
      leads[p] = *to;
      changed = true;
    }
  }
  const PointIndex first = end(Thread::begin);
  if (first != Thread::begin) thread.points[Thread::begin].edges = thread.points[first].edges;
  for (PointIndex p = Thread::begin; p < leads.size(); ++p) {
    if (p != Thread::begin && leads[p] != p) thread.points[p].edges.clear();
    for (Edge& edge : thread.points[p].edges) edge.to = end(edge.to);
  }
  drop_unreached(thread);
}

/// A thread that can come to a point without doing anything is there.
void drop_silent_steps(Thread& thread) {
  skip_silent_points(thread);
  constexpr std::size_t most_edges = 48;  // of one point
  std::vector<Point> out(thread.points.size());
  for (PointIndex p = Thread::begin; p < thread.points.size(); ++p) {
    out[p] = thread.points[p];
    std::vector<Edge> edges;
    std::set<PointIndex> seen{p};
    std::vector<PointIndex> work{p};
    while (!work.empty() && edges.size() <= most_edges) {
      const PointIndex at = work.back();
      work.pop_back();
      for (const Edge& edge : thread.points[at].edges) {
        if (!edge.acts.empty() || edge.to < Thread::begin)
          edges.push_back(edge);
        else if (seen.insert(edge.to).second)
          work.push_back(edge.to);
      }
    }
    if (edges.size() <= most_edges) out[p].edges = std::move(edges);
  }
  thread.points = std::move(out);
}

namespace {

/// Others notice that it was done, and not only that it waits.
bool is_effect(const Model& model, const Act& act) {
  if (const VariableIndex* target = target_of(act)) return model.is_shared(*target);
  return std::holds_alternative<Visit>(act) || std::holds_alternative<Start>(act);
}

/// Points from which some effect can come.
std::vector<bool> before_effects(const Model& model, const Thread& thread) {
  std::vector<bool> out(thread.points.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto p = static_cast<PointIndex>(thread.points.size()); p-- > 0;) {
      if (out[p]) continue;
      out[p] = std::ranges::any_of(thread.points[p].edges, [&](const Edge& edge) {
        return out[edge.to] || std::ranges::any_of(edge.acts, [&](const Act& act) { return is_effect(model, act); });
      });
      changed = changed || out[p];
    }
  }
  return out;
}

/// The thread can take the edge more than once.
bool leads_back(const Thread& thread, const Edge& edge) {
  std::vector<bool> seen(thread.points.size());
  std::vector<PointIndex> work{edge.to};
  while (!work.empty()) {
    const PointIndex at = work.back();
    work.pop_back();
    if (seen[at]) continue;
    seen[at] = true;
    for (const Edge& next : thread.points[at].edges) {
      if (&next == &edge) return true;
      work.push_back(next.to);
    }
  }
  return false;
}

}  // namespace

std::vector<bool> started_again(const Model& model) {
  std::vector<bool> out(model.threads.size());
  std::vector<std::size_t> starts(model.threads.size());
  for (const Thread& thread : model.threads)
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts)
          if (const Start* start = std::get_if<Start>(&act);
              start != nullptr && (++starts[start->thread] > 1 || leads_back(thread, edge)))
            out[start->thread] = true;
  return out;
}

namespace {

/// Joins behind which nothing comes that others notice.
void drop_joins(const Model& model, Thread& thread) {
  const std::vector<bool> matters = before_effects(model, thread);
  for (Point& point : thread.points)
    for (Edge& edge : point.edges) {
      bool is_before = matters[edge.to];
      for (std::size_t k = edge.acts.size(); k-- > 0;) {
        is_before = is_before || is_effect(model, edge.acts[k]);
        if (!is_before && std::holds_alternative<Join>(edge.acts[k]))
          edge.acts.erase(edge.acts.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
}

}  // namespace

void drop_idle_ends(Model& model) {
  for (Thread& thread : model.threads) drop_joins(model, thread);
  // Whose end matters: somebody waits for it, or may start the thread once more.
  std::vector<bool> ends_matter = started_again(model);
  for (const Thread& thread : model.threads)
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts)
          if (const Join* join = std::get_if<Join>(&act)) ends_matter[join->thread] = true;
  for (ThreadIndex t = 0; t < model.threads.size(); ++t) {
    Thread& thread = model.threads[t];
    const bool is_idle = !before_effects(model, thread)[Thread::begin];
    if (is_idle && ends_matter[t]) thread.points[Thread::begin].edges = {{Thread::ended, {}}};
    if (is_idle && !ends_matter[t]) thread.points[Thread::begin].edges.clear();
    const auto nowhere = static_cast<PointIndex>(thread.points.size());
    thread.points.emplace_back();
    for (Point& point : thread.points)
      for (Edge& edge : point.edges)
        // That the program is over can always come later.
        if (edge.to == Thread::exits || (edge.to == Thread::ended && !ends_matter[t])) edge.to = nowhere;
  }
}

/// By refinement: two points are told apart as long as some step of the one is none of the other.
void merge_equal_points(Thread& thread) {
  std::vector<std::uint32_t> kind(thread.points.size());
  // Rows of acts have numbers, which are compared faster.
  std::map<std::vector<Act>, std::uint32_t> rows;
  std::vector<std::vector<std::uint32_t>> row_of(thread.points.size());
  for (PointIndex p = 0; p < kind.size(); ++p) {
    kind[p] = std::min(p, Thread::begin);
    for (const Edge& edge : thread.points[p].edges)
      row_of[p].push_back(rows.try_emplace(edge.acts, static_cast<std::uint32_t>(rows.size())).first->second);
  }
  using Steps = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // a row of acts, and the kind of point behind it
  constexpr std::size_t most_looks = 2'000'000;  // a long chain has as many rounds as points: it stays as it is
  for (std::size_t count = 0, looks = 0;;) {
    looks += kind.size();
    if (looks > most_looks) return;
    using Sign = std::pair<std::uint32_t, Steps>;
    std::map<Sign, std::uint32_t> signs;
    std::vector<std::uint32_t> next(kind.size());
    for (PointIndex p = 0; p < kind.size(); ++p) {
      Sign sign{kind[p], {}};
      const std::vector<Edge>& edges = thread.points[p].edges;
      for (std::size_t e = 0; e < edges.size(); ++e) sign.second.emplace(row_of[p][e], kind[edges[e].to]);
      next[p] = signs.try_emplace(std::move(sign), static_cast<std::uint32_t>(signs.size())).first->second;
    }
    kind = std::move(next);
    if (signs.size() == count) break;
    count = signs.size();
  }
  // The first point of a kind stands for all; those of a fixed number are the first of theirs.
  std::map<std::uint32_t, PointIndex> first;
  const auto representative = [&](PointIndex p) { return first.try_emplace(kind[p], p).first->second; };
  for (PointIndex p = 0; p < kind.size(); ++p) {
    std::vector<Edge>& edges = thread.points[p].edges;
    if (representative(p) != p) {
      edges.clear();
      continue;
    }
    Steps known;
    std::vector<Edge> kept;
    for (std::size_t e = 0; e < edges.size(); ++e)
      if (known.emplace(row_of[p][e], kind[edges[e].to]).second) kept.push_back(std::move(edges[e]));
    edges = std::move(kept);
  }
  for (Point& point : thread.points)
    for (Edge& edge : point.edges) edge.to = first.at(kind[edge.to]);
  drop_unreached(thread);
}

}  // namespace heddle::judge::transaction
