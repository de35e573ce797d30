// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that are carried out as their model says: one function per action of src/api/action.h. pthread_mutex_lock,
// mtx_lock and std::mutex::lock are all the action TakeLock, with the argument that is the lock and what the call
// returns; the machine knows the action and not the function.
//
//   pthread_mutex_trylock(&m)    TakeLock{lock: argument 0, not blocking, success: 0, failure: EBUSY}
//                                asks the gate, takes the lock or not, gives the number that the model names
//
// False from any of these: the thread stops before the call, which will be made again when the step is granted; so
// nothing may be changed before the gate was asked. What no machine can do (names of locks that are not objects,
// handlers that run at any time) refuses the call, and the run ends as Unsupported.
#pragma once
#include "interpret/core/native_call.h"
#include "interpret/sync/locks.h"

namespace heddle::interpret {

/// Carries out what the function does; it is of External::Kind::Effect.
bool carry_out(NativeCall& call, const api::Action& action);

// lock_effects.cpp
bool take_lock(NativeCall& call, const api::TakeLock& take);
bool give_lock(NativeCall& call, const api::GiveLock& give);
bool set_up_object(NativeCall& call, const api::SetUpObject& object);
bool run_once(NativeCall& call, const api::RunOnce& once);

// wait_effects.cpp
bool use_condition(NativeCall& call, const api::UseCondition& use);
bool wait_at_barrier(NativeCall& call, const api::WaitAtBarrier& wait);
bool use_semaphore(NativeCall& call, const api::UseSemaphore& use);

// thread_effects.cpp
bool start_thread(NativeCall& call, const api::StartThread& start);
bool leave_thread(NativeCall& call, const api::LeaveThread& leave);
bool use_thread_value(NativeCall& call, const api::UseThreadValue& use);
bool run_later(NativeCall& call, const api::RunLater& later);
/// std::terminate: the handler, then the end (library/native_frames.h).
inline void begin_terminate(Core& core, Thread& thread) { core.frames.push_native(thread, NativeKind::Terminate); }
/// The thread's frames are gone; what it has to run at its end comes next (library/native_frames.h).
void begin_thread_exit(Core& core, Thread& thread, const Slot& result);

// memory_effects.cpp
bool make_memory(NativeCall& call, const api::MakeMemory& make);
bool touch_atomic(NativeCall& call, const api::TouchAtomic& touch);
/// A plain read of an argument's memory; null is no memory.
void read_argument(NativeCall& call, const api::Touch& touch);

// What they share.
[[nodiscard]] inline bool has_argument(const NativeCall& call, api::Argument index) {
  return index >= 0 && static_cast<std::size_t>(index) < call.count();
}

[[nodiscard]] inline const Slot& argument(const NativeCall& call, api::Argument index) {
  return call.slot(static_cast<std::size_t>(index));
}

[[nodiscard]] inline std::uint64_t word(const NativeCall& call, api::Argument index) {
  return call.word(static_cast<std::size_t>(index));
}

/// The address of the synchronisation object that an argument points to.
[[nodiscard]] inline Address sync_address(const NativeCall& call, api::Argument index) {
  return call.core.space.resolve_sync(argument(call, index));
}

/// What the call returns for an error number (0: success), as its model tells; e_busy stands for what the model calls
/// its failure.
inline void give_status(NativeCall& call, const api::CallOutcome& outcome, int status) {
  const bool is_done = status == 0;  // asked before: a failure may be the number 0
  if (status == e_busy && outcome.failure >= 0) status = outcome.failure;
  switch (outcome.success) {
    case api::Success::NonZero: call.give(is_done ? 1 : 0); return;
    case api::Success::NonNegative:
    case api::Success::NotMinusOne: call.give(is_done ? 0 : ~0ULL); return;
    case api::Success::Zero:
    case api::Success::Always: call.give(static_cast<std::uint64_t>(status)); return;
  }
}

}  // namespace heddle::interpret
