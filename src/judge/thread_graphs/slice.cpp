// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/slice.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/reduce_threads.h"

namespace heddle::judge::transaction {

namespace {

/// Points of one thread.
using Points = std::set<PointIndex>;

/// Points that may be on a cycle, or between two: what is left when ends and beginnings are taken away.
std::vector<bool> that_go_round(const Thread& thread, const std::vector<std::vector<PointIndex>>& before) {
  std::vector<bool> out(thread.points.size(), true);
  for (const bool forward : {true, false}) {
    std::vector<std::size_t> arriving(out.size());
    std::vector<PointIndex> work;
    const auto each_next = [&](PointIndex p, const auto& visit) {
      if (forward)
        for (const Edge& edge : thread.points[p].edges) visit(edge.to);
      else
        for (const PointIndex from : before[p]) visit(from);
    };
    for (PointIndex p = 0; p < out.size(); ++p)
      if (out[p]) each_next(p, [&](PointIndex to) { ++arriving[to]; });
    for (PointIndex p = 0; p < out.size(); ++p)
      if (out[p] && arriving[p] == 0) work.push_back(p);
    while (!work.empty()) {
      const PointIndex at = work.back();
      work.pop_back();
      out[at] = false;
      each_next(at, [&](PointIndex to) {
        if (--arriving[to] == 0 && out[to]) work.push_back(to);
      });
    }
  }
  return out;
}

/// Values that are made of shared ones, or are constants on some way.
std::set<VariableIndex> that_tell(const Model& model, const Thread& thread) {
  std::map<VariableIndex, std::set<VariableIndex>> made_of;
  std::set<VariableIndex> telling;
  for (const Point& point : thread.points)
    for (const Edge& edge : point.edges)
      for (const Act& act : edge.acts) {
        const VariableIndex* target = target_of(act);
        if (target == nullptr || model.is_shared(*target)) continue;
        auto& sources = made_of[*target];
        if (const Assign* assign = std::get_if<Assign>(&act); assign != nullptr && assign->form.terms.empty())
          telling.insert(*target);
        each_read(act, [&](VariableIndex v) { sources.insert(v); });
      }
  std::vector<VariableIndex> counters;
  for (const auto& [variable, sources] : made_of) {
    std::set<VariableIndex> seen;
    std::vector<VariableIndex> work(sources.begin(), sources.end());
    bool counts = false, reads_shared = false;
    while (!work.empty()) {
      const VariableIndex at = work.back();
      work.pop_back();
      if (model.is_shared(at)) {
        reads_shared = true;
        continue;
      }
      counts = counts || at == variable;
      if (!seen.insert(at).second) continue;
      if (telling.contains(at) && at != variable) reads_shared = true;
      if (const auto more = made_of.find(at); more != made_of.end())
        work.insert(work.end(), more->second.begin(), more->second.end());
    }
    if (reads_shared) telling.insert(variable);
    if (counts) counters.push_back(variable);
  }
  for (const VariableIndex v : counters) telling.erase(v);
  return telling;
}

class Slicer {
 public:
  Slicer(const Model& model, const SliceGround& ground, const PlacePair& pair, const SliceOptions& options)
      : model_(model), ground_(ground), pair_(pair), options_(options), wanted_(model.threads.size()) {}

  std::set<VariableIndex> variables() {
    find();
    return shared_;
  }

  Model run() {
    find();
    Model out{model_.shared, 0, model_.locks, {}, {}};
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t) out.threads.push_back(what_is_wanted(t));
    drop_other_locks(out);
    for (Thread& thread : out.threads) skip_silent_points(thread);
    return out;
  }

 private:
  void find() {
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
      want_guards_of(t, points_with(t, [&](const Act& act) { return is_asked(act); }));
    if (options_.has_addresses) want_addresses();
    want_what_is_read();
    for (unsigned k = 0; k < options_.depth; ++k) {
      for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
        want_guards_of(t, points_with(t, [&](const Act& act) {
                         const VariableIndex* target = target_of(act);
                         return target != nullptr && model_.is_shared(*target) && shared_.contains(*target);
                       }));
      want_what_is_read();
    }
  }

  [[nodiscard]] bool is_asked(const Act& act) const {
    const Visit* visit = std::get_if<Visit>(&act);
    return visit != nullptr && (visit->place == pair_.first || visit->place == pair_.second);
  }

  template <class Which>
  [[nodiscard]] Points points_with(ThreadIndex t, const Which& which) const {
    Points out;
    const std::vector<Point>& points = model_.threads[t].points;
    for (PointIndex p = 0; p < points.size(); ++p)
      for (const Edge& edge : points[p].edges)
        if (std::ranges::any_of(edge.acts, which)) out.insert(p);
    return out;
  }

  /// Guards at points from which one way leads to these, without coming back, and another does not.
  void want_guards_of(ThreadIndex t, const Points& targets) {
    if (targets.empty()) return;
    const std::vector<Point>& points = model_.threads[t].points;
    const std::vector<bool> leads_there = that_reach(t, targets, Thread::exits);
    for (PointIndex p = 0; p < points.size(); ++p) {
      const std::vector<Edge>& edges = points[p].edges;
      const bool has_guard = std::ranges::any_of(edges, [](const Edge& edge) {
        return std::ranges::any_of(edge.acts, [](const Act& act) { return std::holds_alternative<Guard>(act); });
      });
      if (edges.size() < 2 || !has_guard || !decides(t, p, targets, leads_there)) continue;
      for (const Edge& edge : edges)
        for (const Act& act : edge.acts)
          if (std::holds_alternative<Guard>(act) && tells(t, act)) {
            deciding_.emplace(t, p);
            each_read(act, [&](VariableIndex v) { want(t, v); });
          }
    }
  }

  /// One of its ways leads to the targets without coming back, another does not. `leads_there`: it may come back.
  [[nodiscard]] bool decides(ThreadIndex t, PointIndex p, const Points& targets,
                             const std::vector<bool>& leads_there) const {
    const std::vector<Edge>& edges = model_.threads[t].points[p].edges;
    const auto decides_by = [&](const std::vector<bool>& reaches) {
      const auto leads = [&](const Edge& edge) { return reaches[edge.to]; };
      return !std::ranges::all_of(edges, leads) && !std::ranges::none_of(edges, leads);
    };
    return decides_by(ground_.threads[t].goes_round[p] ? that_reach(t, targets, p) : leads_there);
  }

  /// It reads what others may write, or what was decided before: not only numbers that count, or that nobody knows.
  [[nodiscard]] bool tells(ThreadIndex t, const Act& guard) const {
    bool out = options_.has_all_guards;
    each_read(guard,
              [&](VariableIndex v) { out = out || model_.is_shared(v) || ground_.threads[t].telling.contains(v); });
    return out;
  }

  /// Without passing `not_through`.
  [[nodiscard]] std::vector<bool> that_reach(ThreadIndex t, const Points& targets, PointIndex not_through) const {
    std::vector<bool> out(ground_.threads[t].before.size());
    std::vector<PointIndex> work;
    const auto reach = [&](PointIndex p) {
      if (p == not_through || out[p]) return;
      out[p] = true;
      work.push_back(p);
    };
    for (const PointIndex p : targets) reach(p);
    while (!work.empty()) {
      const PointIndex at = work.back();
      work.pop_back();
      for (const PointIndex p : ground_.threads[t].before[at]) reach(p);
    }
    return out;
  }

  void want_addresses() {
    for (ThreadIndex t = 0; t < model_.threads.size(); ++t)
      for (const Point& point : model_.threads[t].points)
        for (const Edge& edge : point.edges)
          for (const Act& act : edge.acts)
            if (is_asked(act)) each_read(act, [&](VariableIndex v) { want(t, v); });
  }

  void want(ThreadIndex t, VariableIndex variable) {
    if (!model_.is_shared(variable)) {
      if (wanted_[t].insert(variable).second) new_.emplace_back(t, variable);
      return;
    }
    if (!options_.only.empty() && !options_.only.contains(variable) && !model_.shared[variable].tells_which) return;
    if (!shared_.insert(variable).second) return;
    for (ThreadIndex each = 0; each < model_.threads.size(); ++each) new_.emplace_back(each, variable);
  }
  [[nodiscard]] bool is_wanted(ThreadIndex t, VariableIndex variable) const {
    return model_.is_shared(variable) ? shared_.contains(variable) : wanted_[t].contains(variable);
  }

  /// What wanted variables are made of.
  void want_what_is_read() {
    while (!new_.empty()) {
      const auto [t, variable] = new_.back();
      new_.pop_back();
      const auto made = ground_.threads[t].made.find(variable);
      if (made == ground_.threads[t].made.end()) continue;
      for (const auto& [from, act] : made->second) {
        each_read(*act, [&](VariableIndex v) { want(t, v); });
        if (touches_shared(model_, *act)) want_choice(t, from);
      }
    }
  }

  /// Which of several places it is that is read or written.
  void want_choice(ThreadIndex t, PointIndex from) {
    for (const Edge& edge : model_.threads[t].points[from].edges)
      for (const Act& act : edge.acts)
        if (std::holds_alternative<Guard>(act) && chosen_.insert(&act).second)
          each_read(act, [&](VariableIndex v) { want(t, v); });
  }

  [[nodiscard]] bool is_kept(ThreadIndex t, PointIndex p, const Act& act, bool is_chosen) const {
    if (std::holds_alternative<Visit>(act)) return is_asked(act);
    if (std::holds_alternative<Guard>(act) && !options_.has_all_guards && !is_chosen && !deciding_.contains({t, p}))
      return false;
    if (const VariableIndex* target = target_of(act)) return is_wanted(t, *target);
    bool are_wanted = true;
    each_read(act, [&](VariableIndex v) { are_wanted = are_wanted && is_wanted(t, v); });
    return are_wanted;
  }

  [[nodiscard]] Thread what_is_wanted(ThreadIndex t) const {
    const Thread& thread = model_.threads[t];
    Thread out{thread.name, std::vector<Point>(thread.points.size())};
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (const Edge& source : thread.points[p].edges) {
        Edge& edge = out.points[p].edges.emplace_back(source.to);
        for (const Act& act : source.acts)
          if (is_kept(t, p, act, chosen_.contains(&act))) edge.acts.push_back(without_others(t, act));
        if (options_.has_addresses) continue;
        for (Act& act : edge.acts)
          if (Visit* visit = std::get_if<Visit>(&act)) visit->address.reset();
      }
    return out;
  }

  /// What is made of variables that are not there is any number.
  [[nodiscard]] Act without_others(ThreadIndex t, const Act& act) const {
    const Assign* assign = std::get_if<Assign>(&act);
    bool are_there = true;
    each_read(act, [&](VariableIndex v) { are_there = are_there && is_wanted(t, v); });
    if (assign == nullptr || are_there) return act;
    return Forget{assign->target, assign->range};
  }

  /// Those under which nothing happens that is left.
  static void drop_other_locks(Model& model) {
    std::set<LockIndex> wanted;
    for (const Thread& thread : model.threads) {
      std::vector<std::set<LockIndex>> held(thread.points.size());  // on some way
      std::vector<PointIndex> work{Thread::begin};
      std::vector<bool> seen(thread.points.size());
      seen[Thread::begin] = true;
      while (!work.empty()) {
        const PointIndex at = work.back();
        work.pop_back();
        for (const Edge& edge : thread.points[at].edges) {
          std::set<LockIndex> locks = held[at];
          for (const Act& act : edge.acts) {
            if (const Take* take = std::get_if<Take>(&act)) locks.insert(take->lock);
            if (std::holds_alternative<Visit>(act) || touches_shared(model, act))
              wanted.insert(locks.begin(), locks.end());
            if (const Give* give = std::get_if<Give>(&act)) locks.erase(give->lock);
          }
          const std::size_t before = held[edge.to].size();
          held[edge.to].merge(locks);
          if (held[edge.to].size() != before || !seen[edge.to]) work.push_back(edge.to);
          seen[edge.to] = true;
        }
      }
    }
    std::set<LockIndex> others;
    for (LockIndex lock = 0; lock < model.locks.size(); ++lock)
      if (!wanted.contains(lock)) others.insert(lock);
    drop_locks(model, others);
  }

  const Model& model_;
  const SliceGround& ground_;
  const PlacePair& pair_;
  SliceOptions options_;
  std::vector<std::set<VariableIndex>> wanted_;  ///< by thread: its own
  std::set<VariableIndex> shared_;
  std::vector<std::pair<ThreadIndex, VariableIndex>> new_;  ///< wanted, but not yet what they are made of
  std::set<std::pair<ThreadIndex, PointIndex>> deciding_;   ///< whose guards decide
  std::set<const Act*> chosen_;                             ///< guards that tell places apart
};

}  // namespace

SliceGround::SliceGround(const Model& model) {
  for (const Thread& thread : model.threads) {
    OfThread& one = threads.emplace_back();
    one.before.resize(thread.points.size());
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (const Edge& edge : thread.points[p].edges) one.before[edge.to].push_back(p);
    one.goes_round = that_go_round(thread, one.before);
    one.telling = that_tell(model, thread);
    for (PointIndex p = 0; p < thread.points.size(); ++p)
      for (const Edge& edge : thread.points[p].edges)
        for (const Act& act : edge.acts)
          if (const VariableIndex* target = target_of(act)) one.made[*target].emplace_back(p, &act);
  }
}

std::set<VariableIndex> variables_of_slice(const Model& model, const SliceGround& ground, const PlacePair& pair,
                                           const SliceOptions& options) {
  return Slicer(model, ground, pair, options).variables();
}

Model slice(const Model& model, const SliceGround& ground, const PlacePair& pair, const SliceOptions& options) {
  return Slicer(model, ground, pair, options).run();
}

}  // namespace heddle::judge::transaction
