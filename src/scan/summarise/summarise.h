// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summarises one function, given the summaries of its callees (RELAY §3.1-3.3). Three walks, each with what the one
// before it found:
//
//   SymbolicExecution  instructions -> Execution: events with names for all memory, calls in our terms, tests of
//                      branches, when memory becomes known to others (symbolic_execution.h)
//   LockFlow           events -> relative locksets and running threads at every block, a fixpoint (lock_flow.h)
//   GuardedAccesses    events with their locksets -> groups of accesses, own and of callees (guarded_accesses.h)
//   FunctionExit       what is so at all returns (function_exit.h)
//   SummaryExport      -> FunctionSummary, in tables of its own (summary_export.h)
//
// What a function allocates, or has on its stack, is private until it is stored where others look, passed to a function
// that does that, or given to a thread; private accesses are left out. Linear in the function but for the lockset
// fixpoint, which visits blocks two or three times; of a function with more groups than `Limits` allows to hand on, the
// rest counts as settled.
#pragma once
#include <cstdint>
#include <vector>

#include "scan/names/member_key.h"
#include "scan/summary/function_summary.h"
#include "scan/summary/scan_input.h"

namespace heddle::scan {

/// Where a function takes a lock, itself or by a call that returns with it.
struct Acquisition {
  std::uint32_t instruction = 0;
  Lvalue lock;
};

struct Acquisitions {
  std::vector<Acquisition> all;
  std::vector<Node> nodes;  ///< that name the locks
};

struct AccessBounds;

class Summariser {
 public:
  Summariser(const ScanInput& input, const std::vector<FunctionSummary>& summaries)
      : in_(input), summaries_(summaries), keys_(input.program) {}

  [[nodiscard]] FunctionSummary run(FunctionId function);
  [[nodiscard]] Acquisitions acquisitions(FunctionId function);
  /// See access_bounds.h.
  [[nodiscard]] AccessBounds bounds(FunctionId function);
  [[nodiscard]] MemberKeys& keys() { return keys_; }
  /// Calls backward in a component hand on no accesses.
  void set_backward_opaque(bool is_opaque) { backward_opaque_ = is_opaque; }

 private:
  const ScanInput& in_;
  const std::vector<FunctionSummary>& summaries_;
  MemberKeys keys_;
  bool backward_opaque_ = false;
  NodeTable nodes_;  ///< of the function at hand
};

}  // namespace heddle::scan
