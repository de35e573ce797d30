// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ProgramEnd: what runs when the program or a thread ends: functions registered with atexit, destructors of globals,
// and the handler of std::terminate, which every exception calls that nobody may catch.
//
// They run in some order, each from what the others left: all orders are followed until no new state appears. Functions
// that do not settle in a few turns are an obstacle.
#pragma once
#include <map>
#include <set>

#include "api/models/api_models.h"
#include "topdown/actions/frame_ends.h"
#include "topdown/actions/thread_phase.h"
#include "topdown/actions/thread_values.h"
#include "topdown/record/recorder.h"
#include "topdown/transfer/disjuncts.h"
#include "topdown/values/call_values.h"

namespace heddle::topdown {

class BlockFixpoint;

class ProgramEnd {
 public:
  ProgramEnd(const api::ApiModels& models, const CallValues& call, Memory& memory, Recorder& recorder,
             const ThreadPhase& phase, const FrameEnds& frames, const ThreadValues& own_values, Disjuncts& disjuncts,
             BlockFixpoint& blocks, bool& changed);

  /// Registers a function that is to run at the end.
  void run_at_end(const Site& site, const api::RunLater& later, State& s);
  /// Gives std::terminate a handler.
  void run_at_terminate(const Site& site, const api::RunLater& later, State& s);
  /// The call does not return.
  void end_here(const Site& site, const api::End& end, State s, Exits& exits);
  /// The program ends in this state.
  void run_at_exit(const State& s);
  /// The thread ends in this state, its frames have ended: what is left when the destructors of its values have run.
  [[nodiscard]] States run_at_thread_end(const State& s);
  /// The call throws.
  void throw_here(const Site& site, const State& s, Exits& exits);

 private:
  void terminate_here(const Site& site, const State& s);
  [[nodiscard]] bool only_ends_program(FunctionId function) const;
  [[nodiscard]] bool has_nothing_to_do(Operand callee) const;
  /// The functions with their arguments, in any order, as often as something new comes of it; false: it does not end.
  bool run_all(States& states, const std::map<FunctionId, InfoId>& functions, const MergePoint& at);
  /// From each state, the function with this argument; true: a new state appeared.
  bool run_from(States& states, ContextId context, InfoId given, const MergePoint& at);

  const Domain& d;
  Universe& u;
  const api::ApiModels& models_;
  const CallValues& call_;
  Memory& memory_;
  Recorder& recorder_;
  const ThreadPhase& phase_;
  const FrameEnds& frames_;
  const ThreadValues& own_values_;
  Disjuncts& disjuncts_;
  BlockFixpoint& blocks_;
  bool& changed_;
  std::map<FunctionId, InfoId> at_exit_;  ///< functions to run when the program ends, with their argument
  bool takes_down_ = false;               ///< library functions among them take down synchronisation objects
  std::set<FunctionId> at_terminate_;     ///< handlers of std::terminate
  bool is_terminating_ = false;           ///< one of them is being followed
  bool is_ending_thread_ = false;         ///< destructors of its values are
  bool has_landing_pads_ = false;         ///< some function of the program cleans up when it is unwound
};

}  // namespace heddle::topdown
