// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/disjuncts.h"

#include <algorithm>
#include <tuple>

namespace heddle::topdown {

namespace {
constexpr std::size_t many_threads = 8;
}  // namespace

bool Disjuncts::are_kept_apart(const State& a, const State& b) const {
  if (a.signature() == b.signature()) return false;
  if (std::tuple(a.locks, a.parallel, a.was_parallel) != std::tuple(b.locks, b.parallel, b.was_parallel)) return true;
  return std::min(d.u.maps.size(a.created), d.u.maps.size(b.created)) < many_threads;
}

State& Disjuncts::take_in(States& states, const State& s, const MergePoint& at) {
  for (State& old : states) {
    if (are_kept_apart(old, s)) continue;
    old = d.merge(old, s, at, absent_);
    return old;
  }
  if (states.size() < most_) return states.emplace_back(s);
  State& last = states.back();
  State x = last;
  State y = s;
  if (x.parallel != y.parallel || x.was_parallel != y.was_parallel) {
    memory_.go_parallel(x);
    memory_.go_parallel(y);
  }
  last = d.merge(x, y, at, absent_);
  return last;
}

bool Disjuncts::add_disjunct(States& states, const State& s, const MergePoint& at) {
  const States before = states;
  take_in(states, s, at);
  return states != before;
}

void Disjuncts::compact(States& states, const Site& site) {
  if (states.size() < 2) return;
  MergePoint at{site.context, inside_block | site.instruction, false, false, nullptr};
  States out;
  for (const State& s : states) add_disjunct(out, s, at);
  states = std::move(out);
}

}  // namespace heddle::topdown
