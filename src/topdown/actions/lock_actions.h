// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LockActions: taking and giving back locks, and what makes them.
//
//   pthread_mutex_lock(&m)             one state: m is held
//   pthread_mutex_trylock(&m)          two states: m is held and 0 is returned; it is not and something else is
//   pthread_mutex_unlock(p)            m is not held any more if p may be &m
//
// A release through a pointer that may be a held lock takes that lock out of the set, so that only what is surely held
// stays. Before a lock is taken and whenever one is given back, the state forgets what others may have changed since.
#pragma once
#include "topdown/actions/held_locks.h"
#include "topdown/actions/semaphores.h"

namespace heddle::topdown {

class LockActions {
 public:
  LockActions(const CallValues& call, const Values& values, const HeldLocks& held, Semaphores& semaphores,
              Memory& memory, Recorder& recorder, LockKinds& kinds, bool& changed)
      : d(memory.d),
        u(memory.u),
        call_(call),
        values_(values),
        held_(held),
        semaphores_(semaphores),
        memory_(memory),
        recorder_(recorder),
        kinds_(kinds),
        changed_(changed) {}

  void take_lock(const Site& site, const api::TakeLock& take, State s, States& out);
  void give_lock(const Site& site, const api::GiveLock& give, State s, States& out);
  void set_up(const Site& site, const api::SetUpObject& object, State s, States& out);
  void use_condition(const Site& site, const api::UseCondition& use, State s, States& out);

 private:
  void acquire(const Site& site, const api::TakeLock& take, State s, States& out);
  void release(const Site& site, State& s, FormId lock);
  void take_again(const Site& site, const api::UseCondition& wait, State& s);
  bool is_made(const Site& site, const api::SetUpObject& object, const State& s, States& out);
  void set_thread_kind(const Site& site, const api::SetUpObject& object, State& s);
  void begin_lock(const Site& site, const api::SetUpObject& begin, State& s);
  bool may_refuse_owner(const State& s, const api::CallOutcome& outcome, FormId lock);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  const HeldLocks& held_;
  Semaphores& semaphores_;
  Memory& memory_;
  Recorder& recorder_;
  LockKinds& kinds_;
  bool& changed_;
};

}  // namespace heddle::topdown
