// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that may crash: clang on sources that nobody has looked at yet. How it ended is told apart, since a source that
// nests too deeply, a machine without memory and a bug are not the same to whoever reads the message.
#pragma once
#include <functional>
#include <string>

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

enum class WorkEnd { Done, OutOfStack, OutOfMemory, Crashed };

/// Runs `work` on a thread of its own with a large stack, or a smaller one if the system has no more, at last on the
/// caller's: clang recurses as deeply as the source nests. Of work that is not done, what it was building must not be
/// touched again, nor freed.
WorkEnd run_guarded(const std::function<void()>& work);

/// `clang ran out of memory on this file`: what a user can do something about.
std::string words_of(WorkEnd end);

}  // namespace heddle::frontend
