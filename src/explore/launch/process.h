// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An instrumented program as a process: started with fixed addresses and a socket to its driver, killed with all that
// it started when this goes.
#pragma once
#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "explore/launch/launch.h"

namespace heddle::explore {

class ProgramProcess {
 public:
  /// An error: it cannot be started.
  static Result<ProgramProcess> start(const LaunchJob& job);
  ProgramProcess(ProgramProcess&& other) noexcept;
  ProgramProcess& operator=(ProgramProcess&& other) noexcept;
  ~ProgramProcess();

  /// To be polled for reading.
  [[nodiscard]] int socket() const { return socket_; }
  /// What there is to read now is added to the text; false: nothing more will come.
  bool read_some(std::string& text);
  /// False: nobody listens any more.
  bool send(std::string_view bytes) const;
  /// Waits for its end: "ended by signal Segmentation fault".
  std::string death();

 private:
  ProgramProcess(pid_t process, int socket) : process_(process), socket_(socket) {}

  pid_t process_ = -1;
  int socket_ = -1;
};

/// Why addresses differ from process to process: the system refuses to fix them. Empty: they do not.
std::string why_addresses_vary();

}  // namespace heddle::explore
