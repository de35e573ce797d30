// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/finish_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/movers.h"
#include "judge/thread_graphs/reduce_threads.h"
#include "judge/thread_graphs/tidy_edges.h"
#include "proof/transaction/stuck.h"

namespace heddle::judge::transaction {

bool is_noticed(const Model& model, const Act& act) {
  const bool is_of_numbers =
      std::holds_alternative<Assign>(act) || std::holds_alternative<Forget>(act) || std::holds_alternative<Guard>(act);
  return !is_of_numbers || touches_shared(model, act);
}

std::set<VariableIndex> wanted_shared(const Model& model) {
  std::set<VariableIndex> shared;
  for (bool grew = true; grew;) {
    const std::size_t before = shared.size();
    for (const Thread& thread : model.threads) {
      std::set<VariableIndex> wanted = shared;
      const auto want = [&](VariableIndex v) { wanted.insert(v); };
      for (std::size_t size = wanted.size() + 1; size != wanted.size();) {
        size = wanted.size();
        for (const Point& point : thread.points)
          for (const Edge& edge : point.edges)
            for (const Act& act : edge.acts)
              if (const VariableIndex* target = target_of(act); target == nullptr || wanted.contains(*target))
                each_read(act, want);
      }
      for (const VariableIndex v : wanted)
        if (v < first_local) shared.insert(v);
    }
    grew = shared.size() != before;
  }
  return shared;
}

void drop_variables(Model& model) {
  const std::set<VariableIndex> wanted = wanted_shared(model);
  const auto is_dropped = [&](VariableIndex v) { return v < first_local && !wanted.contains(v); };
  for (Thread& thread : model.threads)
    for (Point& point : thread.points)
      for (Edge& edge : point.edges) {
        std::vector<Act> kept;
        for (Act& act : edge.acts) {
          const VariableIndex* target = target_of(act);
          if (target != nullptr && is_dropped(*target)) continue;
          bool reads_dropped = false;
          each_read(act, [&](VariableIndex v) { reads_dropped = reads_dropped || is_dropped(v); });
          if (!reads_dropped)
            kept.push_back(std::move(act));
          else if (const Assign* assign = std::get_if<Assign>(&act))
            kept.push_back(Forget{assign->target, assign->range});
        }
        edge.acts = std::move(kept);
      }
  std::map<VariableIndex, VariableIndex> names;
  std::vector<SharedVariable> shared;
  for (const VariableIndex v : wanted) {
    names[v] = static_cast<VariableIndex>(shared.size());
    shared.push_back(model.shared[v]);
  }
  model.shared = std::move(shared);
  for (Thread& thread : model.threads)
    for (Point& point : thread.points)
      for (Edge& edge : point.edges)
        for (Act& act : edge.acts)
          rename_variables(act, [&](VariableIndex v) { return v < first_local ? names.at(v) : v; });
}

namespace {

void join_points(const Model& model, Thread& thread) {
  std::vector<std::uint32_t> entering(thread.points.size());
  for (const Point& point : thread.points)
    for (const Edge& edge : point.edges) ++entering[edge.to];
  const auto is_quiet = [&](const Edge& edge) {
    return edge.to != Thread::exits &&
           std::ranges::none_of(edge.acts, [&](const Act& act) { return is_noticed(model, act); });
  };
  const auto is_passed = [&](PointIndex p) {
    const std::vector<Edge>& edges = thread.points[p].edges;
    return p > Thread::begin && entering[p] == 1 && !edges.empty() && edges.size() <= 2 &&
           !thread.points[p].is_loop_head && std::ranges::all_of(edges, is_quiet) &&
           proof::transaction::always_goes_on(thread.points[p]);
  };
  for (PointIndex from = Thread::begin; from < thread.points.size(); ++from)
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<Edge> edges;
      for (Edge& edge : thread.points[from].edges) {
        if (edge.to == from || !is_passed(edge.to)) {
          edges.push_back(std::move(edge));
          continue;
        }
        for (const Edge& next : std::exchange(thread.points[edge.to].edges, {})) {
          Edge& both = edges.emplace_back(next.to, edge.acts);
          both.acts.insert(both.acts.end(), next.acts.begin(), next.acts.end());
        }
        changed = true;
      }
      thread.points[from].edges = std::move(edges);
    }
}

}  // namespace

void mark_loops(Thread& thread) {
  enum class Colour : std::uint8_t { New, Open, Done };
  std::vector<Colour> colour(thread.points.size());
  std::vector<std::pair<PointIndex, std::size_t>> stack{{Thread::begin, 0}};
  colour[Thread::begin] = Colour::Open;
  while (!stack.empty()) {
    auto& [at, next] = stack.back();
    if (next == thread.points[at].edges.size()) {
      colour[at] = Colour::Done;
      stack.pop_back();
      continue;
    }
    const PointIndex to = thread.points[at].edges[next++].to;
    if (colour[to] == Colour::Open) thread.points[to].is_loop_head = true;
    if (colour[to] != Colour::New) continue;
    colour[to] = Colour::Open;
    stack.emplace_back(to, 0);
  }
}

std::uint32_t share_slots(const Model& model, Thread& thread) {
  const std::vector<Live> live = live_values(model, thread);
  std::map<VariableIndex, Live> beside;
  const auto meet = [&](VariableIndex v, const Live& others) {
    beside[v];
    for (const VariableIndex other : others) {
      if (other == v) continue;
      beside[v].insert(other);
      beside[other].insert(v);
    }
  };
  for (std::size_t p = 0; p < thread.points.size(); ++p) {
    for (const VariableIndex v : live[p]) meet(v, live[p]);
    for (Edge& edge : thread.points[p].edges) (void)before(model, edge, live[edge.to], meet);
  }
  std::map<VariableIndex, VariableIndex> names;
  std::uint32_t slots = 0;
  for (VariableIndex v = 0; v < model.shared_count(); ++v) names[v] = v;
  for (const auto& [v, others] : beside) {
    std::set<VariableIndex> taken;
    for (const VariableIndex other : others)
      if (const auto named = names.find(other); named != names.end()) taken.insert(named->second);
    VariableIndex slot = model.shared_count();
    while (taken.contains(slot)) ++slot;
    names[v] = slot;
    slots = std::max(slots, slot + 1 - model.shared_count());
  }
  for (std::size_t p = 0; p < thread.points.size(); ++p) {
    Point& point = thread.points[p];
    for (Edge& edge : point.edges) {
      drop_dead_acts(model, edge, live[edge.to]);
      for (Act& act : edge.acts) rename_variables(act, [&](VariableIndex v) { return names.at(v); });
    }
    for (const VariableIndex v : live[p]) point.live.push_back(names.at(v));
    std::ranges::sort(point.live);
  }
  return slots;
}

/// Where widening stops: the numbers of guards, and those beside them.
void find_thresholds(Model& model) {
  std::set<std::int64_t> numbers{0, 1};
  const auto note = [&](std::int64_t number) {
    if (number > -(std::int64_t{1} << 40) && number < (std::int64_t{1} << 40))
      for (const std::int64_t by : {-1, 0, 1}) numbers.insert(number + by);
  };
  for (const Thread& thread : model.threads)
    for (const Point& point : thread.points)
      for (const Edge& edge : point.edges)
        for (const Act& act : edge.acts)
          if (const Guard* guard = std::get_if<Guard>(&act)) {
            if (guard->left.terms.empty()) note(guard->left.constant);
            if (guard->right.terms.empty()) note(guard->right.constant);
          }
  for (const SharedVariable& variable : model.shared)
    if (variable.initial) note(*variable.initial);
  model.thresholds.assign(numbers.begin(), numbers.end());
}

void share_slots(Model& model) {
  for (Thread& thread : model.threads) model.slots = std::max(model.slots, share_slots(model, thread));
}

void reduce(Model& model, bool counts) {
  drop_variables(model);
  split_by_constants(model, counts);
  // Whether a lock is taken twice shows when the threads are followed, if nothing is left out.
  const bool are_ruly = unruly_locks(model).empty();
  if (are_ruly) drop_idle_ends(model);
  for (Thread& thread : model.threads) {
    drop_dead_acts(model, thread);
    drop_silent_steps(thread);
    merge_equal_points(thread);
  }
  if (are_ruly) {
    join_movers(model);
    drop_idle_ends(model);
  }
  const auto tidy = [&](Thread& thread) {
    tidy_edges(model, thread, are_ruly);
    drop_silent_steps(thread);
    merge_equal_points(thread);
  };
  for (Thread& thread : model.threads) {
    tidy(thread);
    mark_loops(thread);
    join_points(model, thread);
    tidy(thread);
  }
}

void number(Model& model) {
  for (Thread& thread : model.threads) {
    for (Point& point : thread.points) point.is_loop_head = false;
    mark_loops(thread);
  }
  share_slots(model);
  find_thresholds(model);
}

void finish(Model& model, bool counts) {
  reduce(model, counts);
  number(model);
}

}  // namespace heddle::judge::transaction
