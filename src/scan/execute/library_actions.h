// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LibraryActions: what library functions do to the names and events of a function, by the actions of their models.
//
//   pthread_mutex_trylock(&d->m)         TakeLock: event Acquire d->m, sign Zero
//   pthread_create(&t, 0, worker, d)     StartThread: event Spawn, thread (worker, t); others know what `d` leads to
//   pthread_join(t, 0)                   LeaveThread: event Join t
//
// What a summary cannot express is in scan/calls/assumed_calls.h, under a name; what is left out here without one costs
// no warning: a condition or a barrier orders threads, and a scan derives no order from them.
#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "scan/execute/call_effects.h"
#include "scan/execute/library_memory.h"

namespace heddle::scan {

class LibraryActions {
 public:
  LibraryActions(SymbolicState& state, CallEffects& calls) : s_(state), calls_(calls), memory_(state) {}

  /// A call of a function that has a model. `is_sure`: otherwise it may be another one that is called, so nothing is
  /// taken, waited for or ended.
  void apply(FunctionId callee, std::span<const Operand> arguments, bool is_sure = true);

  [[nodiscard]] LibraryMemory& memory() { return memory_; }

 private:
  void apply(const LibraryCall& call, const api::Action& action);
  void lock_event(SymbolicEvent::Kind kind, Lvalue lock, ResultSign sign, bool is_shared);
  [[nodiscard]] Lvalue lock_of(const LibraryCall& call, const api::LockRef& lock);
  void take_lock(const LibraryCall& call, const api::TakeLock& take);
  void use_condition(const LibraryCall& call, const api::UseCondition& use);
  void use_semaphore(const LibraryCall& call, const api::UseSemaphore& use);
  void set_up(const LibraryCall& call, const api::SetUpObject& object);
  void run_once(const LibraryCall& call, const api::RunOnce& once);
  void call_back(const LibraryCall& call, std::initializer_list<api::Argument> arguments);
  void end_here(const api::End& end);
  void leave_thread(const LibraryCall& call, const api::LeaveThread& leave);
  [[nodiscard]] Lvalue handle_of(const LibraryCall& call, const api::LeaveThread& leave);
  [[nodiscard]] std::vector<FunctionId> table_entries(Lvalue object, int slot);
  void start_thread(const LibraryCall& call, const api::StartThread& start);

  SymbolicState& s_;
  CallEffects& calls_;
  LibraryMemory memory_;
  FunctionId callee_;  ///< of the call at hand
  bool is_sure_ = true;
};

}  // namespace heddle::scan
