// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomics: read-modify-write instructions. Exchange and compare-and-exchange go on as one state per outcome, so that a
// lock made of a variable is held in the right branch only.
#pragma once
#include "topdown/actions/flag_locks.h"
#include "topdown/record/recorder.h"
#include "topdown/values/values.h"

namespace heddle::topdown {

class Atomics {
 public:
  Atomics(const Values& values, Memory& memory, Recorder& recorder, const FlagLocks& flags)
      : d(memory.d), u(memory.u), values_(values), memory_(memory), recorder_(recorder), flags_(flags) {}

  /// False: no execution gets behind it.
  bool atomic_update(const Site& site, State& s);
  /// The result of a compare-and-exchange is kept as 1 (done) or 0.
  void exchange(const Site& site, const State& before, States& out);

 private:
  /// What an exchange found and wants to leave.
  struct Operands {
    FormId address, given, old, expected;
    std::uint32_t size = 0;
    unsigned bits = 0;
  };
  void compare_and_exchange(const Site& site, const Operands& with, const State& s, States& out);
  void plain_exchange(const Site& site, const Operands& with, const State& s, States& out);

  const Domain& d;
  Universe& u;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
  const FlagLocks& flags_;
};

}  // namespace heddle::topdown
