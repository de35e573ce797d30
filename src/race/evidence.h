// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evidence: what a driver knows of the accesses of its warnings, worked out when asked. Judges and the report see a
// warning through this alone, so one judge serves `verify` (topdown/cases/) and `scan` (scan/pairs/).
//
//   for (const CallStep& step : evidence.stack(warning.first)) …     the access, its callers, the thread's entry last
//   evidence.locks(warning.first)                                    {"m"}, {"p->lock", shared}
//
// Answers about locks are what surely holds on every way to the access; the stack is one of the ways.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "race/claims/lock_order.h"
#include "race/separation.h"
#include "race/warning.h"
#include "report/race_report.h"

namespace heddle::race {

struct HeldLock {
  std::string name;  ///< as the report prints it; equal names need not be one lock
  bool is_shared = false;
  std::optional<CallStep> taken = {};  ///< where, if that is known
};

/// `m`, `p->lock (shared)`: as reports write it.
inline std::string to_text(const HeldLock& held) { return held.name + (held.is_shared ? " (shared)" : ""); }

/// Two accesses to a variable that were looked at together.
struct ConsideredPair {
  Warning pair;
  std::optional<Separation> separation;  ///< none: a warning
};

class Evidence {
 public:
  Evidence() = default;
  Evidence(const Evidence&) = delete;
  Evidence& operator=(const Evidence&) = delete;
  virtual ~Evidence() = default;

  /// The access first, then the calls that lead there, the thread's entry last.
  virtual std::vector<CallStep> stack(const Access& access) = 0;
  virtual std::vector<HeldLock> locks(const Access& access) = 0;
  /// In which orders the threads took their locks, for all that the warning stands for; nothing if the driver does not
  /// say.
  virtual Meetings meetings(const Warning&) { return {}; }
  /// `worker (several instances), created at a.c:12:3`
  virtual std::string thread_name(const Access& access) = 0;
  /// The same in parts; a few of them if very many come there.
  virtual std::vector<ReportThread> threads(const Access& access) = 0;
  /// Every thread that was found, main first; none if the driver does not say.
  virtual std::vector<ReportThread> all_threads() { return {}; }
  /// Equal for warnings on the same variable, whatever each access calls it; empty if the driver does not say.
  virtual std::string variable_key(const Warning&) { return {}; }
  /// The memory it touches, as the access's own function does not name it.
  virtual std::string object_name(const Access& access) = 0;

  /// Why their threads may run at the same time.
  virtual std::string why_parallel(const Warning& warning) = 0;
  /// Why the driver believes or doubts the warning, in sentences; the most important first.
  virtual std::vector<std::string> reasons(const Warning& warning) = 0;
  /// The lock that most accesses to the variable hold, if there is one.
  virtual std::optional<ReportGuard> guard(const Warning&) { return std::nullopt; }

  /// Every pair of accesses that was looked at and of which at least one is wanted, with what separates it. Accesses
  /// that no other thread can meet are in no pair.
  virtual std::vector<ConsideredPair> considered(const std::function<bool(const Access&)>& is_wanted) = 0;
};

}  // namespace heddle::race
