// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// OnceActions: bodies that run once in the program.
//
//   pthread_once(&o, init);   in init: o is held exclusively; behind the call: o is held shared, for good
//   use();                    excluded from init, wherever it runs
//
// Callers wait for the body, so it excludes every other body and everything that comes behind a call of once for the
// same object. A program that writes the once-control itself may start it again; then it excludes nobody
// (LockKinds::once).
#pragma once
#include <functional>

#include "topdown/actions/held_locks.h"
#include "topdown/record/recorder.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

/// Runs a function that a library calls back, from a state, with these arguments.
using CallBack =
    std::function<States(const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& given)>;

class OnceActions {
 public:
  OnceActions(const CallValues& call, const HeldLocks& held, Recorder& recorder, LockKinds& kinds, CallBack call_back)
      : d(call.d),
        u(call.u),
        call_(call),
        held_(held),
        recorder_(recorder),
        kinds_(kinds),
        call_back_(std::move(call_back)) {}

  void run_once(const Site& site, const api::RunOnce& once, State s, States& out);

 private:
  void call_once(const Site& site, const api::RunOnce& once, State s, States& out);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const HeldLocks& held_;
  Recorder& recorder_;
  LockKinds& kinds_;
  CallBack call_back_;
};

}  // namespace heddle::topdown
