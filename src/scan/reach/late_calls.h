// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that a program hands over to be run at an end: atexit and the destructors of global objects when the
// program ends, destructors of keys and of thread-local objects when a thread does.
//
//   pthread_key_create(&key, drop)     drop runs in every thread, at its end
//   atexit(flush)                      flush runs behind main, and in whoever calls exit
//   std::set_terminate(last_words)     last_words runs in whoever throws what nobody catches
//
// Nobody calls them, so summaries do not know them: Reach enters them, without locks, as a part of the thread that
// ends.
#pragma once
#include <optional>
#include <vector>

#include "scan/keep/bottom_up.h"

namespace heddle::scan {

struct LateCall {
  enum class When : std::uint8_t { ThreadEnd, ProgramEnd, Terminate, ExceptionEnd };
  FunctionId function;
  When when = When::ProgramEnd;
  friend auto operator<=>(const LateCall&, const LateCall&) = default;
};

/// What the calls of a function hand over.
[[nodiscard]] std::vector<LateCall> late_calls(const ScanInput& input, FunctionId function);

/// Whether a call of the function may end the thread or the program, and then runs what was handed over for this.
[[nodiscard]] bool may_run_late(const ScanInput& input, FunctionId callee, LateCall::When when);

/// Where a function returns for the last time; 0 if nowhere.
[[nodiscard]] std::uint32_t last_return(const Function& function);

}  // namespace heddle::scan
