// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Semaphores that serve as locks: one that starts at one, before any other thread runs, and that only its holder posts,
// lets one thread in at a time. Any other use is noted as a misuse, and then it excludes nobody. The first value lies
// in the semaphore's memory, where whoever overwrites it meets it: `*(int *)&s = 2`.
#pragma once
#include "topdown/actions/held_locks.h"
#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class Semaphores {
 public:
  Semaphores(const CallValues& call, const HeldLocks& held, Memory& memory, Recorder& recorder, LockKinds& kinds)
      : d(memory.d), u(memory.u), call_(call), held_(held), memory_(memory), recorder_(recorder), kinds_(kinds) {}

  void begin_semaphore(const Site& site, const api::SetUpObject& begin, State s, States& out);
  void semaphore(const Site& site, const api::UseSemaphore& use, State s, States& out);

 private:
  void misuse_semaphore(const Site& site, const State& s, FormId semaphore);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const HeldLocks& held_;
  Memory& memory_;
  Recorder& recorder_;
  LockKinds& kinds_;
};

}  // namespace heddle::topdown
