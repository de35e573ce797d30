// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls: from a call instruction to what it may call.
//
//   f(x)      f has a body: analysed in a context of its own, from the state here; what it returns is the result
//   p(x)      every function that p may be the address of; an obstacle if it may be anything else
//   lib(x)    no body: the actions of its model, in their order; an obstacle if it has no model
//
// A function that is active twice on the call string already is an obstacle (recursion).
#pragma once
#include <algorithm>
#include <map>
#include <vector>

#include "api/models/api_models.h"
#include "topdown/actions/held_locks.h"
#include "topdown/domain/caller_part.h"
#include "topdown/record/recorder.h"
#include "topdown/transfer/disjuncts.h"
#include "topdown/transfer/step_budget.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class BlockFixpoint;
class LibraryCalls;

class Calls {
 public:
  struct Options {
    bool undefined_functions_only_return = false;  ///< see TopDownOptions
  };
  Calls(const api::ApiModels& models, Options options, const CallValues& call, const Values& values, Memory& memory,
        Recorder& recorder, InstanceLedger& ledger, const HeldLocks& held, Disjuncts& disjuncts, StepBudget& budget,
        LibraryCalls& library, BlockFixpoint& blocks)
      : d(memory.d),
        u(memory.u),
        models_(models),
        options_(options),
        call_(call),
        values_(values),
        memory_(memory),
        recorder_(recorder),
        ledger_(ledger),
        held_(held),
        disjuncts_(disjuncts),
        budget_(budget),
        caller_parts_(memory.u),
        library_(library),
        blocks_(blocks),
        has_errno_(std::ranges::any_of(u.program.functions, [&](const Function& f) { return gives_errno(f); })) {}

  void call(const Site& site, States& states, Exits& exits);
  /// Runs `callee` from a library effect; the call's own result is not assigned.
  States call_back(const Site& site, const State& s, FunctionId callee, const std::vector<FormId>& given);
  /// Runs what a global variable holds.
  void invoke_global(const Site& site, const api::CallBack& back, const State& s, States& out);

 private:
  std::vector<FunctionId> callees(const Site& site, const State& s, bool& unknown);
  void call_defined(const Site& site, const State& before, FunctionId callee, const std::vector<FormId>& given,
                    States& out, Exits& exits, bool gives_result = true);
  void end_temporaries(const Site& site, State& s);
  void call_undefined(const Site& site, const State& before, FunctionId callee, States& out, Exits& exits);
  States call_back_model(const Site& site, const State& s, FunctionId callee, const api::Model& model);
  void call_asm(const Site& site, State& s);
  void forget_errno(const Site& site, State& s);
  /// Pushes the state with what the call returns.
  void return_from(const Site& site, const api::Model* model, State s, States& out);
  InfoId described(const Site& site, const State& s, const api::CallResult& result);
  [[nodiscard]] bool is_used(const Site& site);
  [[nodiscard]] bool gives_errno(const Function& f) const;
  [[nodiscard]] bool is_recursive(ContextId context, FunctionId callee);
  /// How often each function is active in the context. Kept: call strings may be very long.
  [[nodiscard]] flow::MapId activations(ContextId context);

  /// What a call of a function with a body sets up, and takes down again.
  struct Frame {
    ContextId context;
    std::vector<ObjectId> objects;  ///< its stack
    bool enters_section = false;    ///< it is declared to be atomic
  };
  /// False: no execution gets into the function.
  bool enter(const Site& site, FunctionId callee, const std::vector<FormId>& given, State& s, Frame& frame);
  /// The value that was returned, if any.
  std::optional<std::uint32_t> leave(const Function& f, const Frame& frame, State& after);

  const Domain& d;
  Universe& u;
  const api::ApiModels& models_;
  Options options_;
  const CallValues& call_;
  const Values& values_;
  Memory& memory_;
  Recorder& recorder_;
  InstanceLedger& ledger_;
  const HeldLocks& held_;
  Disjuncts& disjuncts_;
  StepBudget& budget_;
  CallerParts caller_parts_;
  LibraryCalls& library_;
  BlockFixpoint& blocks_;
  bool has_errno_;  ///< the program asks where errno is
  flow::MapStore activations_store_;
  std::vector<flow::MapId> activations_;          ///< by context; 0: not asked yet
  std::map<FunctionId, std::vector<bool>> used_;  ///< by value: some instruction has it as an operand
};

}  // namespace heddle::topdown
