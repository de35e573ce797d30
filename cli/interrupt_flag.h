// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <atomic>

#include "base/stop.h"

namespace heddle::cli {

/// While one lives, Ctrl-C and SIGTERM set a flag instead of ending the process, so that it ends with what it knows. A
/// second one ends it at once; so does a first one before anything is known. Work that does not look at the flag, or
/// waits for a file that never comes, is ended after a few seconds, with exit code 3.
class InterruptFlag {
 public:
  /// `progress`: nothing is known before its first stage; null: there is something to keep from the beginning.
  explicit InterruptFlag(const Progress* progress = nullptr);
  ~InterruptFlag() { end(); }
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  [[nodiscard]] const std::atomic<bool>& raised() const;
  /// The work is done, and its result is being written: signals end the process again, and nobody waits for it.
  void end();
};

/// Ctrl-C and SIGTERM end the process, whoever started it and with whatever settings, unless an InterruptFlag lives.
void end_on_signals();

}  // namespace heddle::cli
