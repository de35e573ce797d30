// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/machine/failure_words.h"

namespace heddle {
namespace {

/// That of files made by open(): 0666 without what the user's mask takes away. The mask is only told to those who set
/// it, for all threads; so once, and early.
mode_t usual_mode() {
  static const mode_t mode = [] {
    const mode_t mask = ::umask(022);
    ::umask(mask);
    return static_cast<mode_t>(0666 & ~mask);
  }();
  return mode;
}

}  // namespace

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<void> write_file(const std::string& path, std::string_view content) {
  // A name that nobody can foresee: what lies there already, a link say, is never written through.
  std::string temporary = path + ".XXXXXX.tmp";
  constexpr int suffix = 4;
  const int file = ::mkostemps(temporary.data(), suffix, O_CLOEXEC);
  if (file < 0) return error(path + ": error: cannot be written: " + failure_words(errno));
  const bool is_written = write_all(file, content) && ::fchmod(file, usual_mode()) == 0 && ::fsync(file) == 0;
  std::string why = is_written ? "" : failure_words(errno);
  ::close(file);
  if (is_written && std::rename(temporary.c_str(), path.c_str()) == 0) return {};
  if (is_written) why = failure_words(errno);
  ::unlink(temporary.c_str());
  return error(path + ": error: cannot be written: " + why);
}

}  // namespace heddle
