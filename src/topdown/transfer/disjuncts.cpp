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
  if (a.locks != b.locks || a.parallel != b.parallel) return true;
  if (merges_pasts_) return false;
  if (a.was_parallel != b.was_parallel) return true;
  if (std::tuple(a.created, a.joined, a.tickets, a.teams) == std::tuple(b.created, b.joined, b.tickets, b.teams))
    return false;
  return std::min(d.u.maps.size(a.created), d.u.maps.size(b.created)) < many_threads;
}

State& Disjuncts::take_in(States& states, const State& s, const MergePoint& at) {
  for (State& old : states) {
    if (are_kept_apart(old, s)) continue;
    old = merged(old, s, at);
    return old;
  }
  if (states.size() < most_) return states.emplace_back(s);
  State& last = states.back();
  last = merged(last, s, at);
  return last;
}

/// Where they differ in what other threads may have done, the one goes where the other is.
State Disjuncts::merged(State a, State b, const MergePoint& at) {
  const bool other_past = a.was_parallel != b.was_parallel;
  if (a.parallel != b.parallel || (other_past && !merges_pasts_)) {
    memory_.go_parallel(a);
    memory_.go_parallel(b);
  } else if (other_past) {
    memory_.pass_parallel_phase(a);
    memory_.pass_parallel_phase(b);
  }
  return d.merge(a, b, at, absent_);
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
