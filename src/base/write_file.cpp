// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/write_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/read_file.h"

namespace heddle {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<void> write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + "." + std::to_string(::gettid()) + ".tmp";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return error(path + ": error: cannot be written: " + std::strerror(errno));
  const bool is_written = write_all(file, content) && ::fsync(file) == 0;
  std::string why = is_written ? "" : std::strerror(errno);
  ::close(file);
  if (is_written && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (is_written) why = std::strerror(errno);
  ::unlink(temporary.c_str());
  return error(path + ": error: cannot be written: " + why);
}

Result<void> update_file(const std::string& path, std::string_view content) {
  if (read_file(path) == content) return {};
  return write_file(path, content);
}

}  // namespace heddle
