// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/thread_graphs/own_values.h"

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "judge/thread_graphs/acts.h"
#include "judge/thread_graphs/apply.h"
#include "judge/thread_graphs/finish_model.h"
#include "numeric/box.h"

namespace heddle::judge::transaction {

namespace {

constexpr std::uint32_t widen_after = 3;        // visits of one point
constexpr std::size_t most_cells = 20'000'000;  // that boxes have, in all steps of a thread

using numeric::Box;

class OwnValues {
 public:
  /// The thread has slots for its values already. `shared`: what each shared variable can be.
  OwnValues(const Model& model, const Thread& thread, std::uint32_t variables, const std::vector<Interval>& shared)
      : model_(model),
        thread_(thread),
        variables_(variables),
        shared_(shared),
        boxes_(thread.points.size()),
        visits_(thread.points.size()) {}

  /// False: it takes too long, and nothing is known.
  bool run() {
    std::size_t numbers = 0;
    arrive(Thread::begin, anything());
    while (!work_.empty()) {
      const PointIndex at = work_.front();
      work_.pop_front();
      const Box here = *boxes_[at];
      for (const Edge& edge : thread_.points[at].edges) {
        numbers += variables_;
        if (numbers > most_cells) return false;
        if (auto there = step(here, edge)) arrive(edge.to, std::move(*there));
      }
    }
    return true;
  }

  /// What it makes of shared variables, beside what they can be already.
  void add_written(std::vector<Interval>& shared) const {
    for (PointIndex p = 0; p < thread_.points.size(); ++p)
      for (const Edge& edge : thread_.points[p].edges) {
        if (!boxes_[p]) continue;
        Box box = *boxes_[p];
        std::set<VariableIndex> written;
        for (const Act& act : edge.acts) {
          if (!apply(model_, box, act, written)) break;
          for (const VariableIndex v : written) shared[v] = join(shared[v], box.interval_of(v));
          written.clear();
        }
      }
  }

  [[nodiscard]] bool is_possible(PointIndex from, const Edge& edge) const {
    return boxes_[from] && step(*boxes_[from], edge);
  }

 private:
  /// Shared variables are whatever others make of them.
  void forget_shared(Box& box) const {
    for (VariableIndex v = 0; v < model_.shared_count(); ++v) {
      box.forget(v);
      hold(box, v, shared_[v]);
    }
  }
  [[nodiscard]] Box anything() const {
    Box out(variables_);
    forget_shared(out);
    return out;
  }

  [[nodiscard]] std::optional<Box> step(Box box, const Edge& edge) const {
    std::set<VariableIndex> written;
    for (const Act& act : edge.acts)
      if (!apply(model_, box, act, written)) return std::nullopt;
    forget_shared(box);
    return box;
  }

  void arrive(PointIndex at, Box box) {
    std::optional<Box>& known = boxes_[at];
    if (known) {
      if (leq(box, *known)) return;
      Box both = join(*known, box);
      known = ++visits_[at] > widen_after ? widen(*known, both, model_.thresholds) : std::move(both);
    } else {
      known = std::move(box);
    }
    work_.push_back(at);
  }

  const Model& model_;
  const Thread& thread_;
  std::uint32_t variables_;
  const std::vector<Interval>& shared_;
  std::vector<std::optional<Box>> boxes_;
  std::vector<std::uint32_t> visits_;
  std::deque<PointIndex> work_;
};

/// To the next number of a guard, and from there to the end of the range.
Interval widened(Interval old, Interval now, const Model& model, VariableIndex v) {
  Interval out = now;
  const Interval all = model.shared[v].range;
  if (now.low < old.low) {
    out.low = all.low;
    for (const std::int64_t t : model.thresholds)
      if (t <= now.low && t > out.low) out.low = t;
  }
  if (now.high > old.high) {
    out.high = all.high;
    for (const std::int64_t t : model.thresholds)
      if (t >= now.high && t < out.high) out.high = t;
  }
  return out;
}

}  // namespace

/// What each shared variable can be: what it is at first, or what some thread makes of it, of numbers in these ranges.
void drop_impossible_edges(Model& model) {
  std::vector<Thread> numbered = model.threads;
  std::vector<std::uint32_t> variables;
  for (Thread& thread : numbered) variables.push_back(model.shared_count() + share_slots(model, thread));
  std::vector<Interval> shared;
  for (const SharedVariable& variable : model.shared)
    shared.push_back(variable.initial ? Interval{*variable.initial, *variable.initial} : variable.range);
  for (std::uint32_t round = 0;; ++round) {
    std::vector<OwnValues> values;
    std::vector<Interval> next = shared;
    for (std::size_t t = 0; t < numbered.size(); ++t) {
      values.emplace_back(model, numbered[t], variables[t], shared);
      if (!values.back().run()) return;
      values.back().add_written(next);
    }
    if (next != shared) {
      // Those that go on growing can be anything.
      for (VariableIndex v = 0; v < shared.size(); ++v)
        if (round >= widen_after && next[v] != shared[v]) next[v] = widened(shared[v], next[v], model, v);
      shared = std::move(next);
      continue;
    }
    for (std::size_t t = 0; t < numbered.size(); ++t)
      for (PointIndex p = 0; p < model.threads[t].points.size(); ++p) {
        std::vector<Edge> kept;
        for (std::size_t e = 0; e < model.threads[t].points[p].edges.size(); ++e)
          if (values[t].is_possible(p, numbered[t].points[p].edges[e]))
            kept.push_back(std::move(model.threads[t].points[p].edges[e]));
        model.threads[t].points[p].edges = std::move(kept);
      }
    return;
  }
}

}  // namespace heddle::judge::transaction
