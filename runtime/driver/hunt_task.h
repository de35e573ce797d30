// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The task `hunt`: suspected races, each a line with two AccessIds in hexadecimal, are looked for in the program
// (explore/hunt/hunt.h). What is found is sent at once: the program may end this process at any time.
//
//   begun run 3             what comes next: for whoever finds the process dead
//   pair 5f1c… 93a0…        of the race that follows
//   race … end
//   reached 2               of each line: how many of its accesses were made at all
//
// HEDDLE_SECONDS, HEDDLE_HUNT (budget of all, in accesses), HEDDLE_HUNT_EACH, HEDDLE_EVENTS (of the search),
// HEDDLE_FIRST_RUN, HEDDLE_RUNS=0.
#pragma once
#include <functional>

#include "base/result.h"
#include "explore/executor/subject.h"
#include "explore/native/driver_result.h"

namespace heddle::explore {

/// `ask`: a number of the environment, and what it is without; `send`: what is in `result`, which is empty then.
Result<void> hunt_task(Subject& subject, const std::string& file,
                       const std::function<std::uint64_t(const char*, std::uint64_t)>& ask, DriverResult& result,
                       const std::function<void()>& send);

}  // namespace heddle::explore
