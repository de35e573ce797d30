// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "topdown/transfer/disjuncts.h"

namespace heddle::topdown {

bool Disjuncts::add_disjunct(States& states, const State& s, const MergePoint& at) {
  for (State& old : states) {
    if (old.signature() != s.signature()) continue;
    const State merged = d.merge(old, s, at, absent_);
    if (merged == old) return false;
    old = merged;
    return true;
  }
  if (states.size() < most_) {
    states.push_back(s);
    return true;
  }
  State& last = states.back();
  State x = last;
  State y = s;
  if (x.parallel != y.parallel || x.was_parallel != y.was_parallel) {
    memory_.go_parallel(x);
    memory_.go_parallel(y);
  }
  const State merged = d.merge(x, y, at, absent_);
  if (merged == last) return false;
  last = merged;
  return true;
}

void Disjuncts::compact(States& states, const Site& site) {
  if (states.size() < 2) return;
  MergePoint at{site.context, inside_block | site.instruction, false, false, nullptr};
  States out;
  for (const State& s : states) add_disjunct(out, s, at);
  states = std::move(out);
}

}  // namespace heddle::topdown
