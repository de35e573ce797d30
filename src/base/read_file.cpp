// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <cstring>
#include "base/machine/failure_words.h"

namespace heddle {
namespace {

bool is_null_device(const struct stat& found) {
  return S_ISCHR(found.st_mode) && ::major(found.st_rdev) == 1 && ::minor(found.st_rdev) == 3;
}

std::string kind_of(const struct stat& found) {
  if (S_ISREG(found.st_mode) || is_null_device(found)) return {};
  if (S_ISDIR(found.st_mode)) return "is a folder, not a file";
  if (S_ISFIFO(found.st_mode)) return "is a FIFO, not a file";
  if (S_ISSOCK(found.st_mode)) return "is a socket, not a file";
  return "is a device, not a file";
}

/// Reads to the end.
Result<std::string> read_all(int file, std::uint64_t expected, std::uint64_t most) {
  std::string out;
  std::size_t size = 0;
  constexpr std::size_t piece = std::size_t{64} << 10;
  out.resize(static_cast<std::size_t>(expected) + 1);  // one more shows the end without another round
  while (true) {
    if (size == out.size()) out.resize(size + std::max(piece, size));
    const ssize_t got = ::read(file, out.data() + size, out.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error(std::string("cannot be read: ") + failure_words(errno));
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size > most) return error("is too large to be read");
  }
  out.resize(size);
  return out;
}

}  // namespace

bool is_handed_over(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/");
}

std::string why_not_plain(const std::string& path) {
  struct stat found{};
  return ::stat(path.c_str(), &found) == 0 ? kind_of(found) : std::string();
}

std::string why_not_given(const std::string& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0 || (is_handed_over(path) && !S_ISDIR(found.st_mode))) return {};
  return kind_of(found);
}

Result<std::string> read_file(const std::string& path, std::uint64_t most) {
  if (std::string why = why_not_plain(path); !why.empty()) return error(std::move(why));
  const int file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return error(std::string("cannot be read: ") + failure_words(errno));
  struct stat found{};
  Result<std::string> out = error("cannot be looked at");
  if (::fstat(file, &found) == 0) {
    const std::string why = kind_of(found);
    const auto size = static_cast<std::uint64_t>(std::max<off_t>(found.st_size, 0));
    out = !why.empty() ? error(why) : size > most ? error("is too large to be read") : read_all(file, size, most);
  }
  ::close(file);
  return out;
}

Result<std::string> read_given_file(const std::string& path) {
  if (!is_handed_over(path)) return read_file(path);
  if (std::string why = why_not_given(path); !why.empty()) return error(std::move(why));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return error(std::string("cannot be read: ") + failure_words(errno));
  auto out = read_all(file, 0, largest_file);
  ::close(file);
  return out;
}

}  // namespace heddle
