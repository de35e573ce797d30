// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/movers.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "judge/thread_graphs/acts.h"

namespace heddle::judge::transaction {

namespace {

/// Which way a step moves.
enum class Mover : std::uint8_t { Both, Right, Left, None };

/// Two in a row as one; none: they are two.
std::optional<Mover> in_a_row(Mover first, Mover second) {
  if (first == Mover::Both) return second;
  if (second == Mover::Both) return first;
  if (first == Mover::Right) return second == Mover::Right ? Mover::Right : Mover::None;
  if (second == Mover::Left) return first == Mover::Left ? Mover::Left : Mover::None;
  return std::nullopt;
}

using Locks = std::set<LockIndex>;

/// Locks that a thread surely holds, for itself, at each of its points; none: nobody comes there.
std::vector<std::optional<Locks>> held_locks(const Thread& thread) {
  std::vector<std::optional<Locks>> out;
  for (const std::optional<Holding>& held : surely_held(thread)) {
    std::optional<Locks>& locks = out.emplace_back();
    if (!held) continue;
    locks.emplace();
    for (const auto& [lock, is_shared] : *held)
      if (!is_shared) locks->insert(lock);
  }
  return out;
}

/// Calls `look(act, locks held there)` for every act.
template <class Look>
void each_act(const Edge& edge, Locks locks, const Look& look) {
  for (const Act& act : edge.acts) {
    if (const Take* take = std::get_if<Take>(&act); take != nullptr && !take->is_shared) locks.insert(take->lock);
    look(act, locks);
    if (const Give* give = std::get_if<Give>(&act)) locks.erase(give->lock);
  }
}

class Movers {
 public:
  explicit Movers(Model& model) : model_(model), guards_(model.shared_count()) {
    for (const Thread& thread : model.threads) held_.push_back(held_locks(thread));
    alone_ = points_before_starts(model.threads.front());
    find_guards();
  }

  void run() {
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t) join(t);
  }

 private:
  static constexpr std::size_t most_edges = 24;  ///< that take the place of a point

  [[nodiscard]] bool is_alone(ThreadIndex t, PointIndex p) const { return t == 0 && alone_[p]; }

  /// Locks under which a variable is always touched; all of them: it never is.
  void find_guards() {
    std::vector<bool> is_touched(model_.shared_count());
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
      for (PointIndex p = 0; p < model_.threads[t].points.size(); ++p) {
        if (!held_[t][p] || is_alone(t, p)) continue;
        for (const Edge& edge : model_.threads[t].points[p].edges)
          each_act(edge, *held_[t][p], [&](const Act& act, const Locks& locks) {
            each_shared(model_, act, [&](VariableIndex v) {
              if (!is_touched[v]) guards_[v] = locks;
              is_touched[v] = true;
              std::erase_if(guards_[v], [&](LockIndex lock) { return !locks.contains(lock); });
            });
          });
      }
  }

  [[nodiscard]] Mover mover(ThreadIndex t, PointIndex from, const Edge& edge) const {
    if (edge.to == Thread::ended || edge.to == Thread::exits) return Mover::None;
    const bool alone = is_alone(t, from);
    Mover all = Mover::Both;
    each_act(edge, *held_[t][from], [&](const Act& act, const Locks& locks) {
      Mover one = Mover::Both;
      if (std::holds_alternative<Take>(act)) one = Mover::Right;
      if (std::holds_alternative<Give>(act)) one = Mover::Left;
      if (std::holds_alternative<Start>(act) || std::holds_alternative<Join>(act) || std::holds_alternative<Visit>(act))
        one = Mover::None;
      each_shared(model_, act, [&](VariableIndex v) {
        const bool is_guarded = std::ranges::any_of(guards_[v], [&](LockIndex lock) { return locks.contains(lock); });
        if (!alone && !is_guarded) one = Mover::None;
      });
      all = in_a_row(all, one).value_or(Mover::None);
    });
    return all;
  }

  void join(ThreadIndex t) {
    std::vector<Point>& points = model_.threads[t].points;
    struct Step {
      Edge edge;
      Mover mover = Mover::None;
    };
    std::vector<std::vector<Step>> steps(points.size());
    std::vector<std::set<PointIndex>> before(points.size());
    for (PointIndex p = 0; p < points.size(); ++p) {
      if (!held_[t][p]) continue;
      for (const Edge& edge : points[p].edges) {
        steps[p].push_back({edge, mover(t, p, edge)});
        before[edge.to].insert(p);
      }
    }
    const auto is_asked = [](const Step& step) {
      return std::ranges::any_of(step.edge.acts, [](const Act& act) { return std::holds_alternative<Visit>(act); });
    };
    const auto can_go = [&](PointIndex p) {
      if (p <= Thread::begin || steps[p].empty() || before[p].empty() || before[p].contains(p)) return false;
      if (std::ranges::any_of(steps[p], is_asked)) return false;
      std::size_t arriving = 0;
      for (const PointIndex from : before[p])
        for (const Step& first : steps[from]) {
          if (first.edge.to != p) continue;
          ++arriving;
          for (const Step& second : steps[p])
            if (!in_a_row(first.mover, second.mover)) return false;
        }
      return arriving * steps[p].size() <= std::max(most_edges, arriving + steps[p].size());
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (PointIndex p = Thread::begin + 1; p < points.size(); ++p) {
        if (!can_go(p)) continue;
        for (const PointIndex from : before[p]) {
          std::vector<Step> kept;
          for (Step& first : steps[from]) {
            if (first.edge.to != p) {
              kept.push_back(std::move(first));
              continue;
            }
            for (const Step& second : steps[p]) {
              Step both{{second.edge.to, first.edge.acts}, *in_a_row(first.mover, second.mover)};
              both.edge.acts.insert(both.edge.acts.end(), second.edge.acts.begin(), second.edge.acts.end());
              kept.push_back(std::move(both));
            }
          }
          steps[from] = std::move(kept);
        }
        for (const Step& second : steps[p]) {
          before[second.edge.to].erase(p);
          before[second.edge.to].insert(before[p].begin(), before[p].end());
        }
        steps[p].clear();
        before[p].clear();
        changed = true;
      }
    }
    for (PointIndex p = 0; p < points.size(); ++p) {
      points[p].edges.clear();
      for (Step& step : steps[p]) {
        drop_empty_sections(step.edge);
        points[p].edges.push_back(std::move(step.edge));
      }
    }
  }

  /// A lock that is taken and given back, and nothing that others notice between: whoever waits for it less does more.
  void drop_empty_sections(Edge& edge) const {
    const bool is_quiet = std::ranges::all_of(edge.acts, [&](const Act& act) {
      return !touches_shared(model_, act) && !std::holds_alternative<Visit>(act) &&
             !std::holds_alternative<Start>(act) && !std::holds_alternative<Join>(act);
    });
    if (!is_quiet) return;
    for (std::size_t k = 0; k < edge.acts.size(); ++k) {
      const Take* take = std::get_if<Take>(&edge.acts[k]);
      if (take == nullptr) continue;
      for (std::size_t other = k + 1; other < edge.acts.size(); ++other) {
        const Give* give = std::get_if<Give>(&edge.acts[other]);
        if (give == nullptr || give->lock != take->lock) continue;
        edge.acts.erase(edge.acts.begin() + static_cast<std::ptrdiff_t>(other));
        edge.acts.erase(edge.acts.begin() + static_cast<std::ptrdiff_t>(k));
        return drop_empty_sections(edge);
      }
    }
  }

  Model& model_;
  std::vector<std::vector<std::optional<Locks>>> held_;  ///< by thread and point
  std::vector<bool> alone_;
  std::vector<Locks> guards_;  ///< by shared variable
};

}  // namespace

std::set<LockIndex> unruly_locks(const Model& model) {
  std::set<LockIndex> out;
  for (const Thread& thread : model.threads) {
    // Held on some way, and not held on some way.
    std::vector<std::pair<Locks, Locks>> at(thread.points.size());
    std::vector<bool> seen(thread.points.size());
    for (LockIndex lock = 0; lock < model.locks.size(); ++lock) at[Thread::begin].second.insert(lock);
    std::vector<PointIndex> work{Thread::begin};
    seen[Thread::begin] = true;
    while (!work.empty()) {
      const PointIndex p = work.back();
      work.pop_back();
      for (const Edge& edge : thread.points[p].edges) {
        auto [held, free] = at[p];
        for (const Act& act : edge.acts) {
          if (const Take* take = std::get_if<Take>(&act)) {
            if (held.contains(take->lock)) out.insert(take->lock);
            held.insert(take->lock);
            free.erase(take->lock);
          } else if (const Give* give = std::get_if<Give>(&act)) {
            if (free.contains(give->lock)) out.insert(give->lock);
            free.insert(give->lock);
            held.erase(give->lock);
          }
        }
        auto& [there_held, there_free] = at[edge.to];
        const std::size_t before = there_held.size() + there_free.size();
        there_held.merge(held);
        there_free.merge(free);
        if (there_held.size() + there_free.size() != before || !seen[edge.to]) work.push_back(edge.to);
        seen[edge.to] = true;
      }
    }
  }
  return out;
}

void join_movers(Model& model) { Movers(model).run(); }

}  // namespace heddle::judge::transaction
