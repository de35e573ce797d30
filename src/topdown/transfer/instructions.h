// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions: what each instruction does to a state. What it computes is in expressions.h, read-modify-write in
// atomics.h, calls are in calls.h, terminators in block_fixpoint.h.
#pragma once
#include "topdown/actions/flag_locks.h"
#include "topdown/record/recorder.h"
#include "topdown/transfer/atomics.h"
#include "topdown/values/expressions.h"

namespace heddle::topdown {

class Instructions {
 public:
  Instructions(const Values& values, const Expressions& expressions, Memory& memory, Recorder& recorder,
               const FlagLocks& flags, Atomics& atomics)
      : d(memory.d),
        u(memory.u),
        values_(values),
        expressions_(expressions),
        memory_(memory),
        recorder_(recorder),
        flags_(flags),
        atomics_(atomics) {}

  /// False: no execution gets behind it.
  bool transfer_one(const Site& site, State& s);

 private:
  void make_slot(const Site& site, State& s);
  bool load(const Site& site, State& s);
  bool store(const Site& site, State& s);
  void extract_value(const Site& site, State& s);
  void extract_exchanged(const Site& site, State& s, const Instruction& exchange);
  bool memory_copy(const Site& site, State& s);

  const Domain& d;
  Universe& u;
  const Values& values_;
  const Expressions& expressions_;
  Memory& memory_;
  Recorder& recorder_;
  const FlagLocks& flags_;
  Atomics& atomics_;
};

}  // namespace heddle::topdown
