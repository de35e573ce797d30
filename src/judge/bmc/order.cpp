// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/order.h"

namespace heddle::judge::bmc {

Order::Order(const Execution& execution, Circuit& circuit, Clauses& clauses)
    : execution_(execution), circuit_(circuit), clauses_(clauses), known_(execution.points.size()) {
  find_certain();
  for (PointNumber p = 0; p < known_.size(); ++p) {
    known_[p].resize(execution.threads.size());
    for (ThreadNumber t = 0; t < execution.threads.size(); ++t) {
      if (t == execution.points[p].thread) continue;
      for (const PointNumber other : execution.threads[t].points)
        known_[p][t].push_back(must_be_before(other, p)   ? Bit::yes()
                               : must_be_before(p, other) ? Bit::no()
                                                          : circuit.input());
    }
  }
  // Who knows of a point knows of those before it, and so do those behind who knows.
  for (PointNumber p = 0; p < known_.size(); ++p) {
    const UnrolledPoint& point = execution.points[p];
    const std::vector<PointNumber>& own = execution.threads[point.thread].points;
    for (ThreadNumber t = 0; t < execution.threads.size(); ++t)
      for (std::size_t k = 0; k < known_[p][t].size(); ++k) {
        if (k > 0) clauses.require({!known_[p][t][k], known_[p][t][k - 1]});
        if (point.position + 1 < own.size()) clauses.require({!known_[p][t][k], known_[own[point.position + 1]][t][k]});
      }
  }
  for (const UnrolledThread& thread : execution.threads)
    if (thread.created_at != nobody) order(Bit::yes(), thread.created_at, thread.begin);
  for (const Wait& wait : execution.waits)
    if (wait.condition.is_yes()) order(Bit::yes(), wait.earlier, wait.later);
}

void Order::find_certain() {
  certain_.assign(execution_.points.size(), std::vector<std::uint32_t>(execution_.threads.size(), 0));
  std::vector<std::vector<PointNumber>> earlier(execution_.points.size());
  for (const UnrolledThread& thread : execution_.threads)
    if (thread.created_at != nobody) earlier[thread.begin].push_back(thread.created_at);
  for (const Wait& wait : execution_.waits)
    if (wait.condition.is_yes()) earlier[wait.later].push_back(wait.earlier);
  for (bool is_done = false; !is_done;) {
    is_done = true;
    for (const UnrolledThread& thread : execution_.threads)
      for (std::size_t i = 0; i < thread.points.size(); ++i) {
        const PointNumber point = thread.points[i];
        std::vector<PointNumber> from = earlier[point];
        if (i > 0) from.push_back(thread.points[i - 1]);
        for (const PointNumber other : from) {
          std::vector<std::uint32_t> clock = certain_[other];
          clock[execution_.points[other].thread] = execution_.points[other].position + 1;
          for (ThreadNumber t = 0; t < clock.size(); ++t) {
            if (clock[t] <= certain_[point][t]) continue;
            certain_[point][t] = clock[t];
            is_done = false;
          }
        }
      }
  }
}

bool Order::must_be_before(PointNumber a, PointNumber b) const {
  const UnrolledPoint& first = execution_.points[a];
  return first.position < certain_[b][first.thread];
}

Bit Order::known(PointNumber a, PointNumber b) const {
  const UnrolledPoint& first = execution_.points[a];
  if (first.thread == execution_.points[b].thread) return Bit::of(must_be_before(a, b));
  return known_[b][first.thread][first.position];
}

void Order::order(Bit condition, PointNumber a, PointNumber b) {
  clauses_.require({!condition, known(a, b)});
  clauses_.require({!condition, !known(b, a)});
  for (ThreadNumber t = 0; t < execution_.threads.size(); ++t) {
    if (t == execution_.points[a].thread || t == execution_.points[b].thread) continue;
    for (const PointNumber third : execution_.threads[t].points)
      clauses_.require({!condition, !known(third, a), known(third, b)});
  }
}

Bit Order::before(PointNumber a, PointNumber b) {
  if (must_be_before(a, b)) return Bit::yes();
  if (a == b || must_be_before(b, a)) return Bit::no();
  const auto [asked, is_new] = asked_.try_emplace({a, b});
  if (is_new) {
    asked->second = circuit_.input();
    order(asked->second, a, b);
  }
  return asked->second;
}

std::vector<std::pair<PointNumber, PointNumber>> Order::chosen() const {
  std::vector<std::pair<PointNumber, PointNumber>> out;
  for (const auto& [pair, bit] : asked_)
    if (clauses_.value(bit)) out.push_back(pair);
  for (const UnrolledThread& thread : execution_.threads)
    if (thread.created_at != nobody) out.emplace_back(thread.created_at, thread.begin);
  for (const Wait& wait : execution_.waits)
    if (wait.condition.is_yes()) out.emplace_back(wait.earlier, wait.later);
  return out;
}

}  // namespace heddle::judge::bmc
