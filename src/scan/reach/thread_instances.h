// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads of a root there are at once, where threads start threads: known when everything was followed.
//
//   boss() { create(helper); }               two bosses, one after the other: two helpers at once
//   boss() { create(helper); join(helper); } one helper at a time, unless a boss is ended by a call before it has
//                                            waited; and none when the boss has ended
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "scan/reach/reach.h"

namespace heddle::scan {

/// A thread that is not main starts another.
struct StartByThread {
  FunctionId function;  ///< where
  Phase phase = Phase::Thread;
  std::uint32_t root = 0;  ///< what is started
  friend auto operator<=>(const StartByThread&, const StartByThread&) = default;
};

/// What is started by several threads, or by one thread after another that does not wait for it, has several instances
/// as well.
void settle_instances(const ScanInput& input, const std::vector<FunctionSummary>& summaries,
                      const std::set<StartByThread>& starts, Reach& reach);

}  // namespace heddle::scan
