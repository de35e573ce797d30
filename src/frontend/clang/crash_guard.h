// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <functional>

namespace heddle::frontend {

/// While one lives, run_guarded survives a compiler that crashes. Signal handlers belong to the process, so only one
/// thread may hold a guard, and only around compilation.
class CrashGuard {
 public:
  CrashGuard();
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
};

/// Runs `work` on a thread of its own with a large stack: clang recurses as deeply as the source nests. False if it
/// crashed or ran out of even that stack; what it was building must then not be touched again, nor freed.
bool run_guarded(const std::function<void()>& work);

}  // namespace heddle::frontend
