// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attempt: how one of many runs that look for races is scheduled, what inputs it gets, and how long it may be. Few
// threads and short runs come first: most races show there, and a program that creates threads for ever shows little
// else.
#pragma once
#include <cstdint>

#include "explore/executor/subject.h"
#include "explore/search/strategy.h"

namespace heddle::explore {

struct Attempt {
  StrategyKind strategy = StrategyKind::Sequential;
  ValuePolicy values = ValuePolicy::Zero;
  std::uint32_t instances = 2;  ///< threads that run, for each creation site
  std::uint64_t instructions = 0;
};

Attempt attempt_number(std::uint64_t number);
/// The same, `length` times as long; the first three less: a program without an end shows its races early.
Attempt attempt_number(std::uint64_t number, std::uint64_t length);
RunLimits limits_of(const Attempt& attempt, std::uint64_t number);

}  // namespace heddle::explore
