// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much threads share in one execution: the columns of ATVA08's Table 1 that describe a program.
#pragma once
#include "explore/executor/executor.h"

namespace heddle::explore {

struct SharedCounts {
  std::uint64_t threads = 0;
  std::uint64_t variables = 0;  ///< pieces of memory, as they are accessed, that two threads access
  std::uint64_t accesses = 0;   ///< made to these
  std::uint64_t locks = 0;      ///< that were held
};

/// Of the execution that the executor has just run.
SharedCounts shared_counts(const Executor& executor);

}  // namespace heddle::explore
