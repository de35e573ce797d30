// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/machine/memory_limit.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

namespace heddle {
namespace {

/// A column of /proc/self/statm, in bytes; 0: it cannot be read. Allocates nothing.
std::uint64_t statm(int column) {
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 256> text{};
  const ssize_t got = read(file, text.data(), text.size() - 1);
  close(file);
  if (got <= 0) return 0;
  const char* at = text.data();
  unsigned long long value = 0;
  for (int i = 0; i <= column; ++i) {
    char* end = nullptr;
    value = std::strtoull(at, &end, 10);
    if (end == at) return 0;
    at = end;
  }
  return value * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::atomic<bool> memory_was_refused = false;  // by operator new, which knows nobody

}  // namespace

void note_no_memory() noexcept { memory_was_refused = true; }
bool was_memory_refused() noexcept { return memory_was_refused; }

std::uint64_t resident_bytes() { return statm(1); }

bool is_address_space_full() noexcept {
  constexpr std::uint64_t nearly = std::uint64_t{16} << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return false;
  return statm(0) + nearly >= limit.rlim_cur;
}

void release_free_memory() { malloc_trim(0); }

std::string size_words(std::uint64_t bytes) {
  int unit = 0;
  while (unit < 3 && bytes >= 1024 && bytes % 1024 == 0) bytes /= 1024, ++unit;
  constexpr std::array units = {"", "K", "M", "G"};
  return std::to_string(bytes) + units[static_cast<std::size_t>(unit)];
}

bool MemoryLimit::is_used_up() const {
  if (bytes_ == 0) return false;
  if (is_used_up_.load(std::memory_order_relaxed)) return true;
  constexpr std::int64_t pause = 2'000'000;
  const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  if (now < next_look_.load(std::memory_order_relaxed)) return false;
  next_look_.store(now + pause, std::memory_order_relaxed);
  if (resident_bytes() < bytes_) return false;
  is_used_up_.store(true, std::memory_order_relaxed);
  return true;
}

void MemoryLimit::begin_again() const {
  release_free_memory();
  is_used_up_.store(false, std::memory_order_relaxed);
  next_look_.store(0, std::memory_order_relaxed);
}

std::string MemoryLimit::why() const {
  return "the memory limit (" + size_words(bytes_) + ", --memory-limit) was used up";
}

void MemoryLimit::enforce() const {
  if (bytes_ == 0) return;
  // Address space that nobody touches counts here: stacks are large and stay empty.
  constexpr std::uint64_t stacks = std::uint64_t{512} << 20;
  rlimit now{};
  if (getrlimit(RLIMIT_DATA, &now) != 0) return;
  const std::uint64_t most = statm(5) + bytes_ + bytes_ / 4 + stacks;
  if (now.rlim_cur != RLIM_INFINITY && now.rlim_cur <= most) return;
  now.rlim_cur = now.rlim_max == RLIM_INFINITY ? most : std::min<rlim_t>(most, now.rlim_max);
  setrlimit(RLIMIT_DATA, &now);
}

}  // namespace heddle
