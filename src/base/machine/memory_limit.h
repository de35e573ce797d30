// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MemoryLimit: how much memory a run may use. Who works asks, as it asks for the time (stop.h); the system refuses what
// goes far beyond it, so that work that does not ask ends in std::bad_alloc and not in the death of the machine.
//
//   const MemoryLimit limit(std::uint64_t{500} << 20);    0: none
//   const Stop stop(60, &interrupted, &progress, &limit);
#pragma once
#include <atomic>
#include <cstdint>
#include <string>

namespace heddle {

/// Memory of this process that is there, not only promised; 0: the system does not tell.
std::uint64_t resident_bytes();

/// Gives memory that was freed back to the system.
void release_free_memory();

/// Memory was asked for and refused. A crash that follows is not a bug.
void note_no_memory() noexcept;
bool was_memory_refused() noexcept;
/// The limit of the address space (ulimit -v) is reached, or nearly. Allocates nothing.
bool is_address_space_full() noexcept;

/// `500M`: as the user would write it.
std::string size_words(std::uint64_t bytes);

class MemoryLimit {
 public:
  explicit MemoryLimit(std::uint64_t bytes = 0) : bytes_(bytes) {}

  [[nodiscard]] bool is_set() const { return bytes_ > 0; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Once used up it stays so, until what used it is gone (`begin_again`). Looks at most every few milliseconds.
  [[nodiscard]] bool is_used_up() const;
  /// For a stage that does not need what the one before it has made, and has thrown it away.
  void begin_again() const;
  /// `the memory limit (500M, --memory-limit) was used up`
  [[nodiscard]] std::string why() const;

  /// The system refuses this process more than the limit and some room for stacks. Before there are other threads.
  void enforce() const;

 private:
  std::uint64_t bytes_;
  mutable std::atomic<bool> is_used_up_ = false;
  mutable std::atomic<std::int64_t> next_look_ = 0;  ///< nanoseconds of the steady clock
};

}  // namespace heddle
