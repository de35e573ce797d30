// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <atomic>

namespace heddle::cli {

/// While one lives, Ctrl-C and SIGTERM set a flag instead of ending the process; a second one ends it.
class InterruptFlag {
 public:
  InterruptFlag();
  ~InterruptFlag();
  InterruptFlag(const InterruptFlag&) = delete;
  InterruptFlag& operator=(const InterruptFlag&) = delete;
  [[nodiscard]] const std::atomic<bool>& raised() const;
};

}  // namespace heddle::cli
