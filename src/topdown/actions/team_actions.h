// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TeamActions: threads that wait at one barrier, and what is dealt out among them (domain/team_labels.h).
//
//   team_join(b)                        phase: start
//   for (i = own low … own high) a[i]   i is in the share of this loop, which no other thread of the team has
//   barrier_wait(b)                     phase: this call; the share is forgotten: the next loop may deal out otherwise
//   a[0] = 1                            ordered with the loop by the barrier
//
// A loop that begins a second time in one phase, on any path, has no share: another thread may still be in the first.
// The number of a thread in the team stays as long as the team exists. Sound because in one phase all threads that have
// a share of one name have it from one dealing out, and because phases that differ in time are ordered, whatever their
// names are.
#pragma once
#include "topdown/memory/memory.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class TeamActions {
 public:
  TeamActions(const CallValues& call, const Values& values, const Memory& memory)
      : d(memory.d), u(memory.u), call_(call), values_(values), memory_(memory) {}

  void wait(const Site& site, const api::WaitAtBarrier& wait, State& s) const;
  void return_own(const Site& site, const api::ReturnValue& value, State& s) const;

 private:
  using Step = api::WaitAtBarrier::Step;
  [[nodiscard]] ObjectId team_at(const Site& site, const State& s, int argument) const;
  [[nodiscard]] LabelId label_of(const Site& site, ObjectId team, TeamPlace place, TeamLabel::Of of) const;
  [[nodiscard]] LabelId share_label(const State& s, const api::ReturnValue& value, ObjectId team) const;
  [[nodiscard]] SymbolId own_symbol(LabelId label, OwnPart part, unsigned bits) const;
  void wait_somewhere(State& s) const;
  void wait_at(const Site& site, ObjectId team, TeamPlace place, State& s) const;
  void begin_loop(const Site& site, ObjectId team, TeamPlace place, State& s) const;
  void forget_shares(State& s, ObjectId team, bool fixed_ones) const;
  void forget_share(State& s, LabelId label) const;
  void set_bounds(const Site& site, const api::ReturnValue& value, SymbolId symbol, OwnPart part, unsigned bits,
                  State& s) const;

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  const Memory& memory_;
};

}  // namespace heddle::topdown
