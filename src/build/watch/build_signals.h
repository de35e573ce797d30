// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a build runs, Ctrl-C is meant for it: it ends, and what was recorded is kept. A signal for us alone is handed
// on; a build that does not care is ended after a few seconds.
#pragma once
#include <sys/types.h>

#include <csignal>

namespace heddle::build {

class BuildSignals {
 public:
  BuildSignals();
  ~BuildSignals();
  BuildSignals(const BuildSignals&) = delete;
  BuildSignals& operator=(const BuildSignals&) = delete;

  /// Waits for the build to end: its status, as waitpid gives it.
  [[nodiscard]] int wait_for(pid_t build) const;
  [[nodiscard]] bool was_interrupted() const;

 private:
  struct sigaction interrupt_{}, terminate_{}, quit_{};
};

}  // namespace heddle::build
