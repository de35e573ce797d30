// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that do what a summary has no words for. Nothing of it is lost in silence: each kind has the name of an
// assumption (docs/assumptions.md, "What a scan rests on"), and a report counts the calls that made use of it.
//
//   vprintf(format, list)       variadic-lists     what the list leads to is not seen
//   std::list::push_back(…)     library-reach      the nodes behind the list are not seen
//   pthread_mutex_destroy(m)    lock-objects       no access to m
//   longjmp(…)                  unsupported-calls  where it leads is not followed
//   sigaction(SIGINT, &a, 0)    signal-handlers    the handler does not run
//   pthread_mutex_lock(m)       locks-succeed      it returns with the lock
//   (*f)(…)                     unfollowed-calls   no function is known that it may mean
//   run_parallel(work)          library-threads    nobody knows run_parallel: it may start threads
//
// One place decides (`assumed`), for every primitive; what is not assumed there is treated in library_actions.cpp, in
// library_memory.cpp or with the threads (reach/late_calls.h).
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "program/model/program.h"
#include "scan/calls/assumptions.h"
#include "scan/calls/call_targets.h"

namespace heddle::scan {

enum class Assumed : std::uint8_t {
  LibraryReach,      ///< memory that can be reached from an argument; all memory, of a function without a model
  VariadicLists,     ///< what a va_list leads to
  ThreadValues,      ///< what a key of thread-specific values leads to
  LockObjects,       ///< the beginning, the end and the kind of locks, barriers and semaphores
  ProcessorMasks,    ///< entries that do not run on this processor for a while
  UnsupportedCalls,  ///< longjmp, fork, …
  SignalHandlers,    ///< functions that run when a signal comes
  LocksSucceed,      ///< a call that waits for a lock or a semaphore returns with it
  UnfollowedCalls,   ///< calls through pointers of which nobody knows, or too many are known, whom they reach
  LibraryThreads,    ///< functions that are handed to a function without a model, which may start threads with them
};
[[nodiscard]] std::string_view name_of(Assumed assumed);

/// What the action does that the scan only assumes something about; none if all of it is treated.
[[nodiscard]] std::optional<Assumed> assumed(const api::Action& action);

/// How many calls in functions that are `reached` do it. `models` by FunctionId.
using AssumedCalls = std::map<Assumed, std::uint32_t>;
[[nodiscard]] AssumedCalls count_assumed_calls(const Program& program, const std::vector<const api::Model*>& models,
                                               const CallTargets& targets, const std::vector<bool>& reached);

/// What a report lists: assumptions that are on, those that are counted with their number of calls.
[[nodiscard]] std::vector<std::string> listed(const Assumptions& assumptions, const AssumedCalls& calls);

}  // namespace heddle::scan
