// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibraryCalls: what library calls do to a state, by the actions of their models: one case per primitive of
// api/action.h, each handed to the collaborator that knows it. An action that has no transfer function is an obstacle.
#pragma once
#include "topdown/actions/lock_actions.h"
#include "topdown/actions/memory_actions.h"
#include "topdown/actions/once_actions.h"
#include "topdown/actions/team_actions.h"
#include "topdown/actions/thread_actions.h"
#include "topdown/actions/thread_values.h"
#include "topdown/transfer/exception_ends.h"
#include "topdown/transfer/program_end.h"

namespace heddle::topdown {

class Calls;

class LibraryCalls {
 public:
  /// Who treats which actions.
  struct Actions {
    LockActions& locks;
    Semaphores& semaphores;
    OnceActions& once;
    ThreadActions& threads;
    MemoryActions& memory;
    const TeamActions& teams;
    ThreadValues& own_values;
    ProgramEnd& ending;
    ExceptionEnds& exceptions;
  };
  LibraryCalls(const CallValues& call, const Values& values, Memory& memory, Recorder& recorder, const Actions& actions,
               Calls& calls)
      : d(call.d),
        u(call.u),
        call_(call),
        values_(values),
        memory_(memory),
        recorder_(recorder),
        do_(actions),
        calls_(calls) {}

  void apply(const Site& site, const api::Effect& effect, const State& before, States& out, Exits& exits);

 private:
  bool use_objects(const Site& site, const api::Action& action, State& s);
  void run_later(const Site& site, const api::RunLater& later, State s, States& out);
  bool is_constant(const State& s, FormId value) const;
  void unsupported(const Site& site, const api::DoUnsupported& what, const State& s);

  const Domain& d;
  Universe& u;
  const CallValues& call_;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
  Actions do_;
  Calls& calls_;
};

}  // namespace heddle::topdown
