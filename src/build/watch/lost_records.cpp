// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/watch/lost_records.h"

#include <random>

#include "base/machine/failure_words.h"
#include "build/intercept/log_writer.h"

namespace heddle::build {

LostRecords::LostRecords() {
  std::random_device random;
  name_ = "heddle-lost-" + std::to_string(getpid()) + "-" + std::to_string(random()) + std::to_string(random());
  sockaddr_un address{};
  const socklen_t size = heddle_socket_address(&address, name_.c_str());
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket_ >= 0 && size > 0 && bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0) return;
  name_.clear();
}

LostRecords::~LostRecords() {
  if (socket_ >= 0) close(socket_);
}

std::string LostRecords::why(const std::string& log) const {
  std::int32_t failure = 0;
  ssize_t got = -1;
  while (socket_ >= 0 && (got = recv(socket_, &failure, sizeof failure, 0)) < 0 && errno == EINTR) {
  }
  if (got == sizeof failure) return failure == 0 ? "records are missing" : failure_words(failure);
  struct stat status{};
  if (stat(log.c_str(), &status) != 0) return "it is gone";
  return (status.st_mode & 0777) == HEDDLE_INCOMPLETE_MODE ? "it cannot be written" : "";
}

}  // namespace heddle::build
